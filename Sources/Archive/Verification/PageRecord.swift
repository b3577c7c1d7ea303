import EncounterLog
import FixedMemory
import LogContents

/// A place in a log, as far as it matters for checking it: a page, or what cannot be read as one.
struct PageRecord: Sendable {
    let position: LogPosition
    /// With the padding up to the next place.
    let byteCount: Int
    /// Why there is no page here to read; nil for a page.
    let fault: LogError?
    /// The page says that it belongs to another log.
    let isForeign: Bool
    let isSealed: Bool
    let isClosed: Bool
    let epoch: UInt8
    /// If it stands in this very page.
    let opening: SegmentOpening?
    let bootIdentifier: UInt64?
    let link: PageLink?
    /// Behind the page.
    let head: LogHead?
    /// Of a page that is whole: why its entries cannot be read, or not all.
    let damage: LogError?
    /// Entries that were read, those of unknown kinds with them; nil if nobody could, or some were removed.
    let entryCount: Int?
    let earliest: LogHole.Moment?
    let latest: LogHole.Moment?
    /// What the board says in it of segments that it has erased.
    let gaps: [LogGap]
    /// Of a page that lost entries on purpose: what stands in it cannot be checked.
    let redaction: Redaction?

    init(_ page: PageContents, segment: UInt32, board: LogIdentity) {
        position = LogPosition(
            segmentOrdinal: segment, byteOffset: UInt32(truncatingIfNeeded: page.byteOffset))
        byteCount = page.byteCount
        fault = page.header == nil ? page.damage ?? .notALogPage : nil
        isForeign = page.logIdentity.map { $0 != board } ?? false
        isSealed = page.header?.isSealed ?? false
        isClosed = page.isClosed
        epoch = page.header?.epoch ?? 0
        opening = page.header?.hasOpening == true ? page.opening : nil
        bootIdentifier = page.bootIdentifier
        link = page.link
        head = page.head
        damage = page.header == nil ? nil : page.damage
        redaction = page.redaction
        let isRead = page.header != nil && !page.isClosed && page.damage == nil && redaction == nil
        entryCount = isRead ? page.entries.count + page.unknownEntryCount : nil
        let times = page.entries.map(\.latestMilliseconds)
        func moment(_ milliseconds: UInt64?) -> LogHole.Moment? {
            guard let milliseconds, let boot = page.bootIdentifier else { return nil }
            return LogHole.Moment(
                boot: boot, monotonicMilliseconds: PageImporter.milliseconds(milliseconds))
        }
        earliest = moment(times.min())
        latest = moment(times.max())
        gaps = page.entries.compactMap { entry in
            if case .gap(let gap) = entry { LogGap(gap, missingSegmentCount: 0) } else { nil }
        }
    }

    /// A page that is tied to those before it.
    var isLinked: Bool { fault == nil && !isForeign && link != nil }

    /// Sealed as only the board could, says the opening key.
    var isGenuine: Bool { isSealed && entryCount != nil }

    /// A write that failed may leave nothing.
    var isBlank: Bool { fault == .blankPage }
}

/// A chain's value, to look up.
struct ChainValue: Hashable, Sendable {
    private let bytes: [UInt8]

    init(_ value: Bytes<16>) { bytes = [UInt8](copying: value.span) }

    /// Before a log's first page.
    static let start = ChainValue(Bytes<16>())
}
