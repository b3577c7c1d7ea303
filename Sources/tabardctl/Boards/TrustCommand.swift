import Archive
import ArgumentParser
import CommandLineText
import FixedMemory
import Foundation
import KeyFiles
import Reports

struct TrustCommand: ReportingCommand {
    static let configuration = CommandConfiguration(
        commandName: "trust", abstract: "Trust a board that nobody has trusted yet.",
        usage: "tabardctl trust [<board>] [<options>]",
        discussion: """
            Examples:
              tabardctl trust
              tabardctl trust 2cb187eb
              tabardctl trust 2cb187eb \\
                  --fingerprint 8d1f:04c2:7b9e:3a56:9c11:42fe:e0d7:65b8
              tabardctl trust 2cb187eb --yes

            Anything at a port can claim to be a board. The archive therefore stores the log of a \
            new board, but nothing in it counts until you trust the board. From then on the board's \
            key proves that it is the same board.

            Without a board the command lists the boards that nobody has trusted yet. To be sure, \
            connect the board itself and compare the fingerprint with `tabardctl devices`. The list also \
            has boards of an archive that was in other hands, if they are not among your known boards.

            `tabardctl sync --trust new` trusts new boards immediately, and `tabardctl provision` trusts \
            the board that it provisions.
            """)

    @Argument(
        help: ArgumentHelp(
            "Board: its name, or the first digits of its log identity.", valueName: "board"),
        completion: ValueCompletion.board)
    var first: String?

    @Option(
        name: .customLong("board"),
        help: ArgumentHelp("The board to trust; the same as the argument.", valueName: "board"),
        completion: ValueCompletion.board)
    var named: String?

    @Option(
        help: ArgumentHelp(
            "Fingerprint that you have compared with the board's; the command then does not ask.",
            valueName: "fingerprint"))
    var fingerprint: String?

    @OptionGroup var consent: ConsentOptions

    @OptionGroup(title: "Without a board") var output: OutputOptions

    @OptionGroup var ownerKey: OwnerKeyOptions

    @OptionGroup var archive: ArchiveOptions

    private var board: String? { named ?? first }

    func validate() throws {
        if first != nil, named != nil {
            throw ValidationError("give the board once: as an argument or with --board")
        }
        if board != nil, output.isGiven {
            throw ValidationError("--json, --format and --output are of the list, without a board")
        }
        if board == nil, fingerprint != nil || consent.yes || consent.dryRun {
            throw ValidationError("give the board to trust")
        }
        if let fingerprint, Fingerprint.bytes(fingerprint) == nil {
            throw ValidationError("--fingerprint \(fingerprint): not 32 hexadecimal digits")
        }
    }

    func execute() throws(Failure) {
        let keys = try ownerKey.keys()
        guard let board else { return try list(try archive.open(.reading)) }
        let archive =
            consent.dryRun
            ? try archive.open(.reading, keys: keys) : try archive.openUpgraded(.existing, keys: keys)
        let untrusted = try choose(board, archive)
        if let fingerprint {
            guard untrusted.keyFingerprint == Fingerprint.bytes(fingerprint) else {
                throw Failure(
                    .noPermission,
                    "\(untrusted.label): the board's key is \(Self.key(untrusted)); not trusted")
            }
        } else {
            Console.report("\(untrusted.label): log \(untrusted.claimedIdentity.hexadecimal)")
            Console.report("  board key  \(Self.key(untrusted))")
        }
        let isCompared = fingerprint != nil && !consent.dryRun
        let otherwise = "the board stays untrusted"
        if !isCompared {
            guard try consent.isGiven("Trust this board?", otherwise: otherwise) else { return }
        }
        let trusted = try archiving { () throws(ArchiveError) in
            try archive.trust(untrusted, keys: keys)
        }
        let label = try archiving { () throws(ArchiveError) in try archive.label(of: trusted) }
        Console.print("\(label): trusted; its log counts from now on")
    }

    private func list(_ archive: Archive) throws(Failure) {
        let listing = try output.listing()
        let boards = try archiving { () throws(ArchiveError) in try archive.untrustedBoards() }
        if listing.format == .json {
            try listing.write("the list") {
                try PrintedJSON.data(rows: boards.map(UntrustedBoardDocument.init))
            }
        }
        try BoardChoice.requireBoard(in: archive)
        guard listing.format == .table else { return }
        if boards.isEmpty {
            listing.print("every board in the archive is trusted")
        } else {
            listing.print(table(boards))
        }
        try listing.finish()
    }

    private func table(_ boards: [UntrustedBoard]) -> TextTable {
        var table = TextTable([
            .init(title: "BOARD", narrowing: .wrapped(minimum: 6)), .init(title: "LOG"),
            .init(title: "FETCHED", isNumber: true),
            .init(title: "BOARD KEY", narrowing: .wrapped(minimum: 39)),
        ])
        for board in boards {
            table.append([
                board.label, board.claimedIdentity.short, ByteText.text(board.byteCount), Self.key(board),
            ])
        }
        return table
    }

    private func choose(_ name: String, _ archive: Archive) throws(Failure) -> UntrustedBoard {
        let boards = try archiving { () throws(ArchiveError) in try archive.untrustedBoards() }
        var chosen = boards.filter {
            $0.name == name || $0.label == name || $0.claimedIdentity.hexadecimal.hasPrefix(name.lowercased())
        }
        // The fingerprint chooses among boards that claim the same log.
        if let wanted = fingerprint.flatMap(Fingerprint.bytes),
            boards.contains(where: { $0.keyFingerprint == wanted })
        {
            chosen.removeAll { $0.keyFingerprint != wanted }
        }
        guard let first = chosen.first else {
            let names = boards.map(\.label).joined(separator: ", ")
            throw Failure(
                .noInput,
                "\(name): no untrusted board; "
                    + (boards.isEmpty ? "every board in the archive is trusted" : "untrusted are \(names)"))
        }
        guard chosen.count == 1 else {
            throw Failure(
                .usage,
                "\(name): \(chosen.count) boards claim this log; choose one with --fingerprint: "
                    + chosen.map(Self.key).joined(separator: ", "))
        }
        return first
    }

    private static func key(_ board: UntrustedBoard) -> String {
        board.keyFingerprint.map(Fingerprint.text) ?? "none: nothing can prove that it is this board"
    }
}

extension UntrustedBoard {
    /// The fingerprint of its key; nil for a board without keys.
    var keyFingerprint: Bytes<16>? { publicKey.flatMap(Fingerprint.bytes(ofPublicKey:)) }
}
