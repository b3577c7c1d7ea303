import Archive
import FixedMemory
import LogContents

/// The participants and contacts of an archive, as the parameters select them.
public final class ContactNetwork {
    public let archive: Archive
    public let parameters: ExportParameters
    public let participants: Participants
    /// The selected contacts that were left out, because their time is unknown.
    public let undatedCount: Int
    /// The encounters that the latest reading left out, because the device had no identity of its own.
    public private(set) var namelessCount = 0
    /// The contacts that it left out, because their times are impossible.
    public private(set) var outOfRangeCount = 0
    /// The number of contacts in the latest reading; nil before the first one.
    public private(set) var contactCount: Int?
    private let contacts: ContactStream

    /// - Parameter isWanted: whether the user still wants the export. Once it says no, what is being read
    ///   ends early, and the export must not be taken for whole.
    public init(
        _ archive: Archive, _ parameters: ExportParameters, isWanted: @escaping () -> Bool = { true }
    ) throws(ArchiveError) {
        self.archive = archive
        self.parameters = parameters
        let boards = try archive.boards()
        let labels = try archive.labels()
        contacts = ContactStream(
            archive: archive, parameters: parameters, labels: labels, isWanted: isWanted)
        participants = try Participants(
            boards: boards, roles: archive.roles(), labels: labels,
            Self.strangers(in: contacts, boards: boards.map(\.identity)),
            smallestGroup: parameters.smallestGroup, pseudonyms: parameters.pseudonyms)
        undatedCount = try archive.undatedContactCount(
            matching: parameters.filter, withStrangers: parameters.includesStrangers)
    }

    /// Calls `body` with each contact in order of its start.
    ///
    /// - Parameter body: says whether the next one is wanted.
    public func forEachContact(
        _ body: (NetworkContact) throws(ArchiveError) -> Bool
    ) throws(ArchiveError) {
        var count = 0
        let leftOut = try contacts.forEach(number: participants.number) { contact throws(ArchiveError) in
            count += 1
            return try body(contact)
        }
        contactCount = count
        (namelessCount, outOfRangeCount) = (leftOut.namelessCount, leftOut.outOfRangeCount)
    }

    /// Finds the strangers of all contacts that will be exported. The export needs them all before its first
    /// row: who is alone in a group depends on everybody.
    private static func strangers(
        in contacts: ContactStream, boards: [LogIdentity]
    ) throws(ArchiveError) -> StrangerSearch {
        let search = try StrangerSearch(boardCount: boards.count)
        guard contacts.parameters.includesStrangers else { return search }
        let numbers = Dictionary(uniqueKeysWithValues: zip(boards, 1...))
        _ = try contacts.forEach { key throws(ArchiveError) in
            guard case .board(let board) = key else { return try search.preliminaryNumber(of: key) }
            return numbers[board]
        } _: { contact throws(ArchiveError) in
            try search.meet(contact.second)
            return true
        }
        return search
    }
}
