/// How a report presents what it has.
public struct ReportOptions: Sendable {
    /// Small counts of people are written as "<5", and nothing about single people is shown.
    public var people: PeopleCount
    /// Whether the contact matrix is of groups, however few boards there are.
    public var byGroup: Bool

    public init(people: PeopleCount = .exact, byGroup: Bool = false) {
        self.people = people
        self.byGroup = byGroup
    }

    var showsSinglePeople: Bool { !people.hidesSmall }
}
