import EncounterLog
import FixedMemory

/// One page as far as it can be read: what stands in its header, its entries, and what is wrong with it.
public struct PageContents: Sendable {
    /// Nil when not even the header can be read.
    public let header: PageHeader?
    /// Those that could be read, in order.
    public let entries: [LogEntry]
    /// Entries of kinds that this version does not know; passed over.
    public let unknownEntryCount: Int
    /// The first thing found wrong; nil for a sound page.
    public let damage: LogError?

    /// Any bytes give a value.
    public init(_ bytes: [UInt8]) {
        let span = bytes.span
        var header: PageHeader?
        var entries: [LogEntry] = []
        var damage: LogError?
        var unknownEntryCount = 0
        do throws(LogError) {
            header = try PageHeader(span)
            let page = try LogPage(span)
            var iterator = page.entries
            var isAtEnd = false
            while !isAtEnd {
                do throws(LogError) {
                    if let entry = try iterator.next() { entries.append(entry) } else { isAtEnd = true }
                } catch {
                    // One entry that cannot be read does not cost the ones behind it.
                    damage = damage ?? error
                }
            }
            unknownEntryCount = iterator.unknownEntryCount
        } catch {
            damage = error
        }
        self.header = header
        self.entries = entries
        self.unknownEntryCount = unknownEntryCount
        self.damage = damage
    }

    public var logIdentity: LogIdentity? {
        guard let identity = header?.logIdentity else { return nil }
        return LogIdentity([UInt8](copying: identity.span))
    }
}

extension [UInt8] {
    public init(copying span: Span<UInt8>) {
        self.init()
        reserveCapacity(span.count)
        for index in span.indices { append(span[index]) }
    }
}

extension LogError {
    /// For people, without an end mark.
    public var sentence: String {
        switch self {
        case .truncatedPage: "the page is cut short"
        case .blankPage: "nothing was written here"
        case .notALogPage: "this is no page of a log"
        case .damagedHeader: "the page's header is damaged (a power cut while it was written, or worn flash)"
        case .unsupportedVersion(let version):
            "the page has format version \(version), which is newer than this program"
        case .unsupportedFlags(let flags):
            "the page has flags this program does not know (\(flags)); it may be sealed"
        case .malformedHeader: "the numbers in the page's header contradict each other"
        case .damagedBody: "the page's entries are damaged (a power cut while it was written, or worn flash)"
        case .malformedEntry(let offset): "the entry at byte \(offset) of the page's body cannot be read"
        case .flash, .noMemory, .mediumHoldsSomethingElse, .geometryMismatch, .eraseHadNoEffect,
            .entryTooLong,
            .noSuchSegment:
            "the page cannot be read (\(self))"
        }
    }
}
