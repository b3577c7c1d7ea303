/// The encounters that an import has stored. They are looked through for boards of the archive in portions,
/// so that memory stays bounded.
final class NewEncounters {
    private static let portion = 10_000

    private let table: SightingTable
    /// A row's number may be given again after the row is removed.
    private var waiting: Set<Int64> = []

    init(_ table: SightingTable) { self.table = table }

    func add(_ encounter: Int64) throws {
        waiting.insert(encounter)
        if waiting.count >= Self.portion { try finish() }
    }

    /// Looks through those that wait.
    func finish() throws {
        try table.update(waiting.sorted(), areNew: true)
        waiting = []
    }
}
