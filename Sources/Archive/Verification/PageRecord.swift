import Cryptography
import EncounterLog
import FixedMemory
import LogContents

/// The data of one place in a log that verification needs: a page, or bytes that cannot be read as one.
struct PageRecord: Sendable {
    let position: LogPosition
    /// The length, including the padding up to the next place.
    let byteCount: Int
    /// Why no page can be read here; nil for a page.
    let fault: LogError?
    /// True if the page names another log.
    let isForeign: Bool
    let isSealed: Bool
    let isLocked: Bool
    let epoch: UInt8
    /// The segment header, if this page contains it.
    let segmentHeader: SegmentHeader?
    /// The seal of the page's epoch; nil for a page in clear, or if the segment header is lost.
    let sealID: SealID?
    let bootIdentifier: UInt64?
    let link: PageLink?
    /// The chain head after the page.
    let head: LogHead?
    /// Why some entries of an intact page cannot be read.
    let damage: LogError?
    /// The number of entries including unknown kinds; nil if they could not be read, or if some were removed.
    let entryCount: Int?
    let earliest: LogHole.Moment?
    let latest: LogHole.Moment?
    /// The erased ranges that the board reports in this page.
    let gaps: [LogGap]
    /// For a page with deliberately removed entries: its remaining entries cannot be verified.
    let redaction: Redaction?
    /// False if nothing proves that the operator removed the entries.
    let isRestProven: Bool

    init(_ page: PageContents, segment: UInt32, board: LogIdentity) {
        position = LogPosition(
            segmentOrdinal: segment, byteOffset: UInt32(truncatingIfNeeded: page.byteOffset))
        byteCount = page.byteCount
        fault = page.header == nil ? page.damage ?? .notALogPage : nil
        isForeign = page.logIdentity.map { $0 != board } ?? false
        isSealed = page.header?.isSealed ?? false
        isLocked = page.isLocked
        epoch = page.header?.epoch ?? 0
        segmentHeader = page.header?.hasHeader == true ? page.segmentHeader : nil
        sealID = page.header?.isSealed == true ? page.segmentHeader.flatMap(SealID.init) : nil
        bootIdentifier = page.bootIdentifier
        link = page.link
        head = page.head
        damage = page.header == nil ? nil : page.damage
        redaction = page.redaction
        isRestProven = page.isRestProven
        let isRead = page.header != nil && !page.isLocked && page.damage == nil && redaction == nil
        entryCount = isRead ? page.entries.count + page.unknownEntryCount : nil
        let times = page.entries.map(\.latestInstant)
        func moment(_ instant: Instant?) -> LogHole.Moment? {
            guard let instant, let boot = page.bootIdentifier else { return nil }
            return LogHole.Moment(boot: boot, instant: instant)
        }
        earliest = moment(times.min())
        latest = moment(times.max())
        gaps = page.entries.compactMap { entry in
            if case .gap(let gap) = entry { LogGap(gap, missingSegmentCount: 0) } else { nil }
        }
    }

    /// True for a page that contains a link to the previous pages.
    var isLinked: Bool { fault == nil && !isForeign && link != nil }

    /// True if the owner key confirms that the board sealed the page.
    var isGenuine: Bool { isSealed && entryCount != nil }

    /// True if nothing was written here; a failed write may leave a page blank.
    var isBlank: Bool { fault == .blankPage }
}

/// Identifies the seal of an epoch by everything that its signature depends on.
struct SealID: Hashable, Sendable {
    private let digest: [UInt8]

    init?(_ header: SegmentHeader) {
        guard let seal = header.seal else { return nil }
        var hash = SHA256()
        hash.update(seal.signature.span)
        hash.update(seal.ephemeralKey.span)
        hash.update(seal.ownerKeyFingerprint.span)
        hash.update(seal.chainValue.span)
        let numbers = [
            UInt64(seal.signedThrough.segmentOrdinal), UInt64(seal.signedThrough.byteOffset),
            header.bootIdentifier,
        ]
        let bytes = numbers.flatMap { number in
            (0..<8).map { UInt8(truncatingIfNeeded: number >> ($0 * 8)) }
        }
        hash.update(bytes.span)
        digest = [UInt8](copying: hash.finish().span)
    }
}

/// A chain value as a hashable key.
struct ChainValue: Hashable, Sendable {
    private let bytes: [UInt8]

    init(_ value: Bytes<16>) { bytes = [UInt8](copying: value.span) }

    /// The chain value before a log's first page.
    static let start = ChainValue(Bytes<16>())
}

/// A position as a hashable key.
struct Place: Hashable {
    private let segment: UInt32
    private let offset: UInt32

    init(_ position: LogPosition) {
        segment = position.segmentOrdinal
        offset = position.byteOffset
    }
}
