import Archive
import ArgumentParser
import BoardLink
import CommandLineText
import FixedMemory
import Foundation
import LogContents
import Reports
import Sync

struct VerifyCommand: ReportingCommand {
    static let configuration = CommandConfiguration(
        commandName: "verify",
        abstract: "Check that logs are complete and genuine.",
        usage: "tabardctl verify [<file>] [<options>]",
        discussion: """
            Examples:
              tabardctl verify
              tabardctl verify --board Foyer --opening opening.pem --json
              tabardctl verify --port /dev/ttyACM0
              tabardctl verify seized.img --opening opening.pem
              tabardctl verify fetched-by-courier/ \\
                  --board-key 8d1f:04c2:7b9e:3a56:9c11:42fe:e0d7:65b8

            The command checks the hash chain of all pages, the board's signatures and, with the \
            owner key, every encrypted page. It reports damaged pages and their cost, erased \
            segments, coverage, and the quality of the clock. docs/verify.md explains each finding.

            Without arguments the command checks all boards of the archive, offline. With --port it \
            first fetches new data. It also checks an archive, a log file, a flash image, or a \
            folder with one file per segment, as SMP tools write them.

            A file cannot vouch for itself. The signatures in it are compared with the board's keys in \
            your list of known boards, or else in your own archive, or with the key that --board-key \
            names.

            The board signs the end of its log at each fetch. "complete to TIME" is the time of the last \
            such statement: a copy without later pages is an older one. --complete-until makes that an \
            error.

            Exit codes: 0 nothing was changed and no fetched data is lost; 65 damage or forgery, or \
            with --strict a gap; 66 nothing to verify; 76 something could not be proven; with --port \
            also those of sync.
            """)

    @Argument(
        help: ArgumentHelp(
            "Archive, log file, flash image, or folder of segments; default: the archive.", valueName: "file"),
        completion: .file())
    var file: String?

    @Option(
        help: ArgumentHelp("Serial port of a board to fetch from first.", valueName: "path"),
        completion: ValueCompletion.port)
    var port: String?

    @OptionGroup var boards: BoardOptions

    @Option(
        help: ArgumentHelp(
            "Key of the board whose log the file has: its fingerprint, or its 130 digits; may be repeated.",
            valueName: "key"))
    var boardKey: [BoardKeyArgument] = []

    @Option(
        help: ArgumentHelp(
            "Exit with 65 if the board's last signed statement here is older, or has no time.",
            valueName: "time"))
    var completeUntil: String?

    @Flag(help: "Exit with 65 for gaps (erased segments) too.")
    var strict = false

    @OptionGroup var output: OutputOptions

    @Option(
        help: ArgumentHelp("Serial speed in bit/s, 9600 to 4000000; USB ports ignore it.", valueName: "rate"))
    var baud: UInt32 = SerialChannel.defaultBaud

    @OptionGroup var ownerKey: OwnerKeyOptions

    @OptionGroup var archive: ArchiveOptions

    func validate() throws {
        if file != nil, port != nil { throw ValidationError("give either a file or --port") }
        if !boardKey.isEmpty, file == nil { throw ValidationError("--board-key needs a file") }
        if !boards.names.isEmpty, port != nil {
            throw ValidationError("--board and --port cannot both be given")
        }
    }

    func execute() throws(Failure) {
        let listing = try output.listing()
        let keys = try ownerKey.keys()
        let source = try source(keys)
        let boards: [ArchivedBoard]
        if let board = source.board {
            boards = [board]
        } else {
            boards = try BoardChoice.boards(named: self.boards.names, of: source.archive)
        }
        var documents: [VerificationDocument] = []
        var worst = LogFinding.Severity.note
        let wanted = try completeUntil.map { text throws(Failure) in
            try MomentArgument.time(text, "--complete-until")
        }
        var isTooShort = false
        var pageCount = 0
        for board in boards {
            let trusting = try trustedKeys(of: board.identity, source.archive)
            let result = try archiving { () throws(ArchiveError) in
                try source.archive.verify(board.identity, keys: keys, trusting: trusting)
            }
            let history = try archiving { () throws(ArchiveError) in
                try source.archive.history(of: board.identity, withTracks: false)
            }
            worst = max(worst, result.severity)
            if let wanted {
                let end = result.completeTime(in: history)
                isTooShort = isTooShort || end.map { $0 < wanted } ?? true
            }
            pageCount += result.pageCount + result.findings.count
            documents.append(VerificationDocument(result, name: board.name, history: history))
            guard listing.format == .table else { continue }
            let text = VerificationText(result, label: board.label, history: history, time: TimeText())
            text.lines.forEach { listing.print($0) }
        }
        if listing.format == .table {
            try listing.finish()
        } else {
            try listing.write("the findings") { try VerificationDocument.json(documents) }
        }
        guard pageCount > 0 else {
            throw Failure(.noInput, "there is nothing to verify; fetch a log with `tabardctl sync`")
        }
        guard !isTooShort else {
            throw Failure(.data, "the log is not complete until \(completeUntil ?? ""); see above")
        }
        guard worst < .damage, !strict || worst != .gap else {
            throw Failure(.data, "the log is not complete and genuine; see above")
        }
        guard worst < .unproven else {
            throw Failure(.unproven, "a part of the log could not be proven; see above")
        }
    }

    private func source(_ keys: OwnerKeys) throws(Failure) -> (archive: Archive, board: ArchivedBoard?) {
        if let port { return try fetch(port, keys) }
        guard let file = foreignFile else { return (try archive.open(.reading, keys: keys), nil) }
        let log = try LogFile(path: file).archive(
            keys: keys, custody: try archive.files.custody(creates: false)
        ) { board, log throws(Failure) in
            let known = try knownKeys(of: board)
            return try known + named(for: board, log, known)
        }
        return (log, nil)
    }

    /// The file to verify; nil if it is the analyst's own archive.
    private var foreignFile: String? {
        guard let file, !FileStatus.areSame(file, archive.path) else { return nil }
        return file
    }

    /// The keys of a board that count: in a file of somebody else those that the analyst knows, and those
    /// named.
    private func trustedKeys(of board: LogIdentity, _ source: Archive) throws(Failure) -> TrustedKeys {
        guard foreignFile != nil else { return .ofArchive }
        let known = try knownKeys(of: board)
        let named = try named(for: board, source, known)
        return .given(
            known
                + named.filter { key in
                    !known.contains { $0.keyring.publicKey == key.keyring.publicKey }
                }, isNamed: !named.isEmpty)
    }

    /// The board's keys in the analyst's list of boards, or else in the analyst's own archive.
    private func knownKeys(of board: LogIdentity) throws(Failure) -> [StoredBoardKey] {
        if let keys = archive.files.knownBoards.keys[board] {
            return keys.map(Self.trusted)
        }
        guard FileManager.default.fileExists(atPath: archive.path) else { return [] }
        let own = try archive.open(.reading)
        return try archiving { () throws(ArchiveError) in
            defer { try? own.close() }
            return try own.vouchedKeys(of: board)
        }
    }

    /// The keys that the analyst has named. A fingerprint is looked for among the keys that the file names.
    private func named(
        for board: LogIdentity, _ source: Archive, _ known: [StoredBoardKey]
    ) throws(Failure) -> [StoredBoardKey] {
        let candidates = try archiving { () throws(ArchiveError) in
            try source.keyHistory(of: board).map(\.keyring.publicKey)
                + source.manifests(of: board).map(\.boardKey) + known.map(\.keyring.publicKey)
        }
        return boardKey.compactMap { $0.publicKey(among: candidates) }.map(Self.trusted)
    }

    private static func trusted(_ key: Bytes<65>) -> StoredBoardKey {
        StoredBoardKey(
            BoardKeyring(publicKey: key, ownerFingerprint: nil, operatorFingerprint: nil), isVouched: true,
            shownAt: nil)
    }

    /// Brings the archive up to date with the board before it is verified.
    private func fetch(
        _ port: String, _ keys: OwnerKeys
    ) throws(Failure) -> (archive: Archive, board: ArchivedBoard?) {
        let archive = try archive.openUpgraded(.create, keys: keys)
        var options = Synchroniser.Options.readingOnly
        options.ownerKeys = keys
        let summary = try BoardFetch(archive: archive, options: options, baud: baud).run(port)
        let boards = try archiving { () throws(ArchiveError) in try archive.boards() }
        return (archive, boards.first { $0.identity == summary.board })
    }
}
