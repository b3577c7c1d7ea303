import FixedMemory
import GRDB

/// A time or duration as SQLite stores it: whole milliseconds, signed. A damaged or foreign file may hold any
/// number, so reading clamps it.
///
/// `StatementColumnConvertible` spares GRDB a generic conversion for each value, of which a long list has
/// millions.
public protocol MillisecondColumn: DatabaseValueConvertible, StatementColumnConvertible {
    var milliseconds: UInt64 { get }
    init(milliseconds: UInt64)
}

/// The latest time that is read, in the year 140,000. Sums of times cannot overflow below it.
private let latestMilliseconds: UInt64 = 1 << 52

extension MillisecondColumn {
    public var databaseValue: DatabaseValue { Int64(clamping: milliseconds).databaseValue }

    /// Nil for a value of another kind than a number.
    public static func fromDatabaseValue(_ value: DatabaseValue) -> Self? {
        Int64.fromDatabaseValue(value).map { Self(milliseconds: min(UInt64(max(0, $0)), latestMilliseconds)) }
    }

    public init?(sqliteStatement: SQLiteStatement, index: CInt) {
        let value = DatabaseValue(sqliteStatement: sqliteStatement, index: index)
        guard let time = Self.fromDatabaseValue(value) else { return nil }
        self = time
    }

    /// A time in an untrusted log, clamped like those of the database.
    init(logged time: Self) { self.init(milliseconds: min(time.milliseconds, latestMilliseconds)) }
}

extension Instant: MillisecondColumn {}
extension WallClockTime: MillisecondColumn {}
extension Interval: MillisecondColumn {}
