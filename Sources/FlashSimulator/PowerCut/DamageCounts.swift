/// What damage to a log cost.
public struct DamageCounts: Equatable, Sendable, Codable {
    public var tried = 0
    /// All entries are read as before.
    public var harmless = 0
    /// Entries of the damaged page alone are missing, and it is said.
    public var pageLost = 0
    /// Entries of other pages, too, and it is said.
    public var moreLost = 0
    /// Entries in whole pages of the same segment that say only by a hash who it was: the identity stood in the damaged page.
    public var identitiesLost = 0
    /// Entries are missing or wrong, and nothing says so.
    public var silent = 0
    /// Logs that could not be mounted.
    public var notMounted = 0
    /// Pages of those tried that hold an opening.
    public var openings = 0

    public init() {}
}
