import Archive
import CommandLineText
import LogContents

/// Finds the board or the identity that an operator means.
struct LabelSearch {
    enum Outcome: Equatable {
        case found(LabelSubject)
        /// Several boards or identities fit; their names or digits.
        case ambiguous([String])
        case unknown
    }

    private let boards: [ArchivedBoard]
    private let labels: Labels
    /// Of the identities that boards met; they are looked up once.
    private var met: [Identity]?
    private let archive: Archive

    /// Fewer digits could be a number that somebody gave to a person.
    static let fewestDigits = 8

    init(_ archive: Archive) throws(Failure) {
        self.archive = archive
        boards = try archiving { () throws(ArchiveError) in try archive.boards() }
        labels = try archiving { () throws(ArchiveError) in try archive.labels() }
    }

    /// - Parameter text: a name, or the first 8 or more hexadecimal digits of a log identity or an identity.
    mutating func subject(_ text: String) throws(Failure) -> Outcome {
        let lowercased = text.lowercased()
        let named = boards.filter { [$0.name, $0.label].contains { $0?.lowercased() == lowercased } }
        if let outcome = outcome(named.map { (.board($0.identity), $0.identity.short) }) { return outcome }
        let people = labels.identities(named: text)
        if let outcome = outcome(people.map { (.identity($0), $0.hexadecimal) }) { return outcome }
        guard text.count >= Self.fewestDigits, text.allSatisfy(\.isHexDigit) else { return .unknown }
        let logs = boards.filter { $0.identity.hexadecimal.hasPrefix(lowercased) }
        if let outcome = outcome(logs.map { (.board($0.identity), $0.identity.hexadecimal) }) {
            return outcome
        }
        let identities = try metIdentities().filter { $0.hexadecimal.hasPrefix(lowercased) }
        return outcome(identities.map { (.identity($0), $0.hexadecimal) }) ?? .unknown
    }

    private func outcome(_ found: [(subject: LabelSubject, name: String)]) -> Outcome? {
        guard let first = found.first else { return nil }
        return found.count == 1 ? .found(first.subject) : .ambiguous(found.map(\.name).sorted())
    }

    private mutating func metIdentities() throws(Failure) -> [Identity] {
        if let met { return met }
        let all = Set(try archiving { () throws(ArchiveError) in try archive.metIdentities() })
        met = Array(all)
        return Array(all)
    }

    /// The names of all boards, for a hint.
    var boardLabels: [String] { boards.map(\.label) }
}
