/// The effects of damage to a log, by kind.
public struct DamageCounts: Equatable, Sendable, Codable {
    public var tried = 0
    /// All entries are read as before.
    public var harmless = 0
    /// Only entries of the damaged page are missing, and the reader reports that.
    public var pageLost = 0
    /// Entries of other pages are missing, too, and the reader reports that.
    public var moreLost = 0
    /// Entries in whole pages of the same segment that have only the hash of an identity, because the
    /// identity was in the damaged page.
    public var identitiesLost = 0
    /// Entries are missing or wrong, and the reader reports nothing.
    public var silent = 0
    /// Logs that could not be mounted.
    public var notMounted = 0
    /// Tried pages that begin a segment, and so contain its header.
    public var segmentHeaders = 0

    public init() {}
}
