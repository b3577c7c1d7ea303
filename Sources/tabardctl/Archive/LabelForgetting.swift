import Archive
import CommandLineText

/// Removes contacts by `work`, and then the labels of identities whose last encounter went: a name in the
/// archive says that its bearer was met.
///
/// - Parameter person: an identity whose label goes in any case.
func forgettingLabels(
    of archive: Archive, also person: Identity? = nil, _ work: () throws(ArchiveError) -> Void
) throws(Failure) {
    let count = try archiving { () throws(ArchiveError) in
        let before = try archive.labelledIdentitiesWithEncounters()
        try work()
        let after = try archive.labelledIdentitiesWithEncounters()
        try archive.forgetLabels(of: before.subtracting(after).union(person.map { [$0] } ?? []))
        return before.count - after.count
    }
    if count > 0, person == nil {
        Console.print("\(Count.text(count, "label")) of identities without encounters removed")
    }
}
