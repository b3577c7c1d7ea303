import Archive
import CommandLineText
import LogContents

/// The boards of an archive that a command applies to.
enum BoardChoice {
    /// All boards, or those with this name; at least one.
    static func boards(named name: String?, of archive: Archive) throws(Failure) -> [ArchivedBoard] {
        try boards(named: name.map { [$0] } ?? [], of: archive)
    }

    /// All boards, or those with these names. Each name must be that of a board: a list without it would say
    /// that nobody was near.
    static func boards(named names: [String], of archive: Archive) throws(Failure) -> [ArchivedBoard] {
        let all = try archiving { () throws(ArchiveError) in try archive.boards() }
        guard !all.isEmpty else { throw Failure(empty: archive) }
        guard !names.isEmpty else { return all }
        var chosen: Set<LogIdentity> = []
        for name in names {
            let found = all.filter { isMeant($0, by: name) }
            guard !found.isEmpty else { throw Failure(unknown: name, all) }
            chosen.formUnion(found.map(\.identity))
        }
        return all.filter { chosen.contains($0.identity) }
    }

    /// The board with this name, or with these first digits of its log identity.
    static func board(named name: String, of archive: Archive) throws(Failure) -> ArchivedBoard {
        let meant = try boards(named: [name], of: archive)
        guard meant.count == 1, let board = meant.first else { throw Failure(ambiguous: name, meant) }
        return board
    }

    /// The identities of the boards with these names; nil for all boards, also of an empty archive.
    static func identities(named names: [String], of archive: Archive) throws(Failure) -> Set<LogIdentity>? {
        names.isEmpty ? nil : Set(try boards(named: names, of: archive).map(\.identity))
    }

    /// Requires a board in the archive, because an empty list of an empty archive would say that nobody was
    /// near.
    static func requireBoard(in archive: Archive) throws(Failure) {
        let isEmpty = try archiving { () throws(ArchiveError) in try archive.isEmpty() }
        if isEmpty { throw Failure(empty: archive) }
    }

    /// The labels of all boards.
    static func labels(_ archive: Archive) throws(Failure) -> [LogIdentity: String] {
        let boards = try archiving { () throws(ArchiveError) in try archive.boards() }
        return Dictionary(boards.map { ($0.identity, $0.label) }, uniquingKeysWith: { first, _ in first })
    }

    /// Whether the text is the board's name, in letters of any case, or the first digits of its log identity.
    static func isMeant(_ board: ArchivedBoard, by text: String) -> Bool {
        let text = text.lowercased()
        return [board.name, board.label].contains { $0?.lowercased() == text }
            || board.identity.hexadecimal.hasPrefix(text)
    }
}

extension Failure {
    /// A text that means several boards where one is needed.
    init(ambiguous name: String, _ boards: [ArchivedBoard]) {
        self.init(
            .usage,
            "\(name): \(boards.count) boards are meant; write one of "
                + boards.map(\.identity.short).joined(separator: ", "))
    }

    fileprivate init(empty archive: Archive) {
        self.init(.noInput, "\(archive.path): the archive is empty; fetch a board with `tabardctl sync`")
    }

    fileprivate init(unknown name: String, _ boards: [ArchivedBoard]) {
        let names = boards.map(\.label)
        if let meant = NearestText.nearest(to: name, among: names) {
            self.init(.noInput, "--board \(name): no such board; did you mean \(meant)?")
        } else {
            self.init(
                .noInput,
                "--board \(name): no such board; the archive contains \(names.joined(separator: ", "))")
        }
    }
}
