import EncounterLog

/// A key of the board's own that it has made itself, and written down for its owner: identities that it had follow from it.
public struct OwnKey: Sendable, Hashable {
    public let scheme: SchemeCode
    /// From when on it is in force, and for how long: of Exposure Notification in ten minutes since 1970, else in days since 1970.
    /// A later key that has a day among its own counts for it instead.
    public let firstPeriod: UInt32
    public let periodCount: UInt32
    /// Of Exposure Notification a day's key, 16 bytes; else a root, 32. A log may claim any.
    public let bytes: [UInt8]

    public init(scheme: SchemeCode, firstPeriod: UInt32, periodCount: UInt32, bytes: [UInt8]) {
        self.scheme = scheme
        self.firstPeriod = firstPeriod
        self.periodCount = periodCount
        self.bytes = bytes
    }
}
