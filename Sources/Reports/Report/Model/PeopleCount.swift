/// Writes counts of people; small ones only as "<5", because they may tell who somebody was.
public struct PeopleCount: Sendable, Equatable {
    /// The smallest count that is written as it is; zero always is.
    public let smallest: Int

    /// No count is too small.
    public static let exact = PeopleCount(smallest: 1)

    public init(smallest: Int) { self.smallest = max(1, smallest) }

    var hidesSmall: Bool { smallest > 1 }

    func isHidden(_ count: Int) -> Bool { count > 0 && count < smallest }

    func text(_ count: Int) -> String {
        isHidden(count) ? "<\(smallest)" : Markup.grouped(count)
    }

    /// For programs: without separators.
    func field(_ count: Int) -> String { isHidden(count) ? "<\(smallest)" : "\(count)" }

    /// "3 identities", "<5 identities"
    func text(_ count: Int, _ singular: String, _ plural: String) -> String {
        "\(text(count)) \(count == 1 && !isHidden(count) ? singular : plural)"
    }

    /// As high as a count is drawn.
    func drawn(_ count: Int) -> Int { isHidden(count) ? smallest : count }
}
