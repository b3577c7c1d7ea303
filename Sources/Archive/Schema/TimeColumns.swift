import FixedMemory
import GRDB

// Times as SQLite stores them: whole milliseconds, signed. A damaged or foreign file may hold any number, so
// reading clamps it.

/// The latest time that is read, in the year 140,000. Sums of times cannot overflow below it.
private let latestMilliseconds: UInt64 = 1 << 52

private func storedMilliseconds(_ value: DatabaseValue) -> UInt64? {
    Int64.fromDatabaseValue(value).map { min(UInt64(max(0, $0)), latestMilliseconds) }
}

/// Nil for a value of another kind than a number. A long list reads millions of times, and this way is
/// faster than ``storedMilliseconds(_:)`` alone.
private func storedMilliseconds(_ statement: SQLiteStatement, _ index: CInt) -> UInt64? {
    storedMilliseconds(DatabaseValue(sqliteStatement: statement, index: index))
}

extension Instant: DatabaseValueConvertible, StatementColumnConvertible {
    public init?(sqliteStatement: SQLiteStatement, index: CInt) {
        guard let milliseconds = storedMilliseconds(sqliteStatement, index) else { return nil }
        self.init(milliseconds: milliseconds)
    }

    public var databaseValue: DatabaseValue { Int64(clamping: milliseconds).databaseValue }

    public static func fromDatabaseValue(_ value: DatabaseValue) -> Instant? {
        storedMilliseconds(value).map(Instant.init(milliseconds:))
    }

    /// A time in an untrusted log, clamped like those of the database.
    init(logged instant: Instant) { self.init(milliseconds: min(instant.milliseconds, latestMilliseconds)) }
}

extension WallClockTime: DatabaseValueConvertible, StatementColumnConvertible {
    public init?(sqliteStatement: SQLiteStatement, index: CInt) {
        guard let milliseconds = storedMilliseconds(sqliteStatement, index) else { return nil }
        self.init(milliseconds: milliseconds)
    }

    public var databaseValue: DatabaseValue { Int64(clamping: milliseconds).databaseValue }

    public static func fromDatabaseValue(_ value: DatabaseValue) -> WallClockTime? {
        storedMilliseconds(value).map(WallClockTime.init(milliseconds:))
    }

    /// A time in an untrusted log, clamped like those of the database.
    init(logged time: WallClockTime) { self.init(milliseconds: min(time.milliseconds, latestMilliseconds)) }
}

extension Interval: DatabaseValueConvertible, StatementColumnConvertible {
    public init?(sqliteStatement: SQLiteStatement, index: CInt) {
        guard let milliseconds = storedMilliseconds(sqliteStatement, index) else { return nil }
        self.init(milliseconds: milliseconds)
    }

    public var databaseValue: DatabaseValue { Int64(clamping: milliseconds).databaseValue }

    public static func fromDatabaseValue(_ value: DatabaseValue) -> Interval? {
        storedMilliseconds(value).map(Interval.init(milliseconds:))
    }
}
