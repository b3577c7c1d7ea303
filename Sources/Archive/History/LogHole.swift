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
    var latestInstant: Instant { Instant(logged: latestLoggedInstant) }

    private var latestLoggedInstant: Instant {
        switch self {
        case .boot(let entry): entry.instant
        case .anchor(let entry): entry.instant
        case .encounterOpened(let entry): entry.instant
        case .encounterIdentified(let entry): entry.instant
        case .sample(let entry): max(entry.start, entry.end)
        case .encounterClosed(let entry): entry.instant
        case .coverage(let entry): max(entry.start, entry.end)
        case .radio(let entry): entry.instant
        case .message(let entry): entry.instant
        case .sharedPayloads(let entry): entry.instant
        case .ownIdentity(let entry): entry.instant
        case .readings(let entry): entry.readings.end
        case .peerDetails(let entry): entry.instant
        case .configuration(let entry): entry.instant
        case .gap(let entry): entry.instant
        case .acknowledgement(let entry): entry.instant
        case .identityRefused(let entry): entry.instant
        case .identityReference(let entry): entry.instant
        case .ownKey(let entry): entry.instant
        case .marker(let entry): entry.instant
        case .battery(let entry): entry.instant
        }
    }
}
