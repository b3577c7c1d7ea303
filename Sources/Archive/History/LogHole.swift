import EncounterLog
import FixedMemory

/// A missing part of a board's log.
public struct LogHole: Sendable, Equatable {
    public enum Kind: Sendable {
        /// Segments that the board overwrote before they were fetched.
        case overwritten
        /// Pages that cannot be read.
        case damaged
        /// Locked pages, which no key has decrypted yet.
        case locked
    }

    /// A time recorded in the log.
    public struct Moment: Sendable, Equatable {
        public var boot: UInt64
        public var instant: Instant

        public init(boot: UInt64, instant: Instant) {
            self.boot = boot
            self.instant = instant
        }
    }

    public var kind: Kind
    /// The latest times of the readable pages before and after it; nil if there is no such page.
    public var before: Moment?
    public var after: Moment?

    public init(kind: Kind, before: Moment?, after: Moment?) {
        self.kind = kind
        self.before = before
        self.after = after
    }
}

extension LogEntry {
    /// The latest time in the entry.
    var latestInstant: Instant { Instant(logged: latestMilliseconds) }

    private var latestMilliseconds: UInt64 {
        switch self {
        case .boot(let entry): entry.monotonicMilliseconds
        case .anchor(let entry): entry.monotonicMilliseconds
        case .encounterOpened(let entry): entry.monotonicMilliseconds
        case .encounterIdentified(let entry): entry.monotonicMilliseconds
        case .sample(let entry): max(entry.startMilliseconds, entry.endMilliseconds)
        case .encounterClosed(let entry): entry.monotonicMilliseconds
        case .coverage(let entry): max(entry.startMilliseconds, entry.endMilliseconds)
        case .radio(let entry): entry.monotonicMilliseconds
        case .message(let entry): entry.monotonicMilliseconds
        case .sharedPayloads(let entry): entry.monotonicMilliseconds
        case .ownIdentity(let entry): entry.monotonicMilliseconds
        case .readings(let entry): entry.readings.endMilliseconds
        case .peerDetails(let entry): entry.monotonicMilliseconds
        case .configuration(let entry): entry.monotonicMilliseconds
        case .gap(let entry): entry.monotonicMilliseconds
        case .acknowledgement(let entry): entry.monotonicMilliseconds
        case .identityRefused(let entry): entry.monotonicMilliseconds
        case .identityReference(let entry): entry.monotonicMilliseconds
        case .ownKey(let entry): entry.monotonicMilliseconds
        }
    }
}
