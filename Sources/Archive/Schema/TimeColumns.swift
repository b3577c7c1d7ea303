import FixedMemory
import GRDB

// Times as SQLite stores them: whole milliseconds, signed. A damaged or foreign file may hold any number, so
// reading clamps it.

/// The latest time that is read, in the year 140,000. Sums of times cannot overflow below it.
private let latestMilliseconds: UInt64 = 1 << 52

private func storedMilliseconds(_ value: DatabaseValue) -> UInt64? {
    Int64.fromDatabaseValue(value).map { min(UInt64(max(0, $0)), latestMilliseconds) }
}

extension Instant: DatabaseValueConvertible {
    public var databaseValue: DatabaseValue { Int64(clamping: milliseconds).databaseValue }

    public static func fromDatabaseValue(_ value: DatabaseValue) -> Instant? {
        storedMilliseconds(value).map(Instant.init(milliseconds:))
    }

    /// A time in an untrusted log, clamped like those of the database.
    init(logged instant: Instant) { self.init(milliseconds: min(instant.milliseconds, latestMilliseconds)) }
}

extension WallClockTime: DatabaseValueConvertible {
    public var databaseValue: DatabaseValue { Int64(clamping: milliseconds).databaseValue }

    public static func fromDatabaseValue(_ value: DatabaseValue) -> WallClockTime? {
        storedMilliseconds(value).map(WallClockTime.init(milliseconds:))
    }

    /// A time in an untrusted log, clamped like those of the database.
    init(logged time: WallClockTime) { self.init(milliseconds: min(time.milliseconds, latestMilliseconds)) }
}

extension Interval: DatabaseValueConvertible {
    public var databaseValue: DatabaseValue { Int64(clamping: milliseconds).databaseValue }

    public static func fromDatabaseValue(_ value: DatabaseValue) -> Interval? {
        storedMilliseconds(value).map(Interval.init(milliseconds:))
    }
}
