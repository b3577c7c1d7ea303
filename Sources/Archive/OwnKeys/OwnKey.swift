import EncounterLog

/// A key that the board generated and logged for its owner. The board's identities are derived from it.
public struct OwnKey: Sendable, Hashable {
    public let scheme: SchemeCode
    /// The first period in which the board uses the key, and the number of periods. A period is ten minutes
    /// since 1970 for Exposure Notification, otherwise a day since 1970. A later key replaces it on the days
    /// that both cover.
    public let firstPeriod: UInt32
    public let periodCount: UInt32
    /// For Exposure Notification a daily key of 16 bytes, otherwise a root of 32 bytes. The log is untrusted,
    /// so any length may occur.
    public let bytes: [UInt8]

    public init(scheme: SchemeCode, firstPeriod: UInt32, periodCount: UInt32, bytes: [UInt8]) {
        self.scheme = scheme
        self.firstPeriod = firstPeriod
        self.periodCount = periodCount
        self.bytes = bytes
    }
}
