import Archive
import ArgumentParser
import Backups
import BoardLink
import CommandLineText
import DeviceSync
import EncounterLog
import FixedMemory
import Foundation
import KeyFiles
import LogContents
import Schemes
import Sync

struct BackupCommand: ReportingCommand {
    static let configuration = CommandConfiguration(
        commandName: "backup",
        abstract: "Save a board's identity and settings for a board that takes its place.",
        usage: "tabardctl backup <port> [<options>]",
        discussion: """
            Examples:
              tabardctl backup /dev/ttyACM0
              tabardctl backup /dev/ttyACM0 --output foyer.backup.json

            The file has the board's configuration, the fingerprints of its keys, and the secrets behind \
            its identities: the day keys of Herald and CovidTracer, and the registration with Sonar. \
            The board encrypts the secrets for its owner key and signs the whole. So nobody but the \
            owner can read them, and `tabardctl restore` needs the private owner key.

            The log is not in the file; `tabardctl sync` fetches it. Neither is the board's own private \
            key, which never leaves the board. Make a new backup after each change of the configuration, \
            and after each `tabardctl provision --scheme`.
            """)

    @OptionGroup var port: PortOptions

    @Option(
        name: .shortAndLong,
        help: ArgumentHelp(
            "New file for the backup; default: the first digits of the log identity, and .backup.json.",
            valueName: "file"), completion: .file())
    var output: String?

    @OptionGroup var keys: KeyOptions

    @OptionGroup var trust: TrustOptions

    @Option(
        help: ArgumentHelp("Serial speed in bit/s, 9600 to 4000000; USB ports ignore it.", valueName: "rate"))
    var baud: UInt32 = SerialChannel.defaultBaud

    @OptionGroup var archive: ArchiveOptions

    func validate() throws { try port.requirePort() }

    func execute() throws(Failure) {
        guard let key = try keys.key() else {
            throw Failure(
                .noInput, "no operator key: a board gives a backup only to its operator; give --operator")
        }
        let archive = try archive.open(.create)
        let client = try BoardPorts.open(port.path ?? "", baud: baud)
        client.operatorKey = key
        let board = try TrustedBoard(
            client, knownTo: archive, trust: trust.policy, withoutKey: "it cannot sign a backup")
        guard let ownerKey = board.keys.ownerFingerprint, let operatorKey = board.keys.operatorFingerprint
        else {
            throw Failure(
                .data,
                "the board has no owner key, for which it would encrypt its secrets; give it its keys with "
                    + "`tabardctl setup` or `tabardctl provision`")
        }
        let name = try archiving { () throws(ArchiveError) in try archive.name(of: board.log) }
        let saved = try read(client, name: name.map(OneLineText.text))
        let backup = BoardBackup(
            label: saved.label, log: board.log, boardKey: board.keys.board, ownerFingerprint: ownerKey,
            operatorFingerprint: operatorKey, configuration: saved.configuration, records: saved.records)
        do throws(BackupError) { try backup.verify() } catch {
            throw Failure(
                .tryAgain,
                "the board's signature does not fit: its configuration or keys have changed meanwhile, or a "
                    + "device on the line has changed its answers; try again")
        }
        try write(backup)
    }

    private func read(
        _ client: BoardClient, name: String?
    ) throws(Failure) -> (label: BackupLabel, configuration: [UInt8], records: [BoardBackupRecord]) {
        do throws(LinkError) {
            let label = BackupLabel(
                nonce: .random(), madeAt: UInt64(max(0, Date().timeIntervalSince1970)),
                agentVersion: try client.status().versionText, name: name)
            let configuration = try client.configuration()
            var records: [BoardBackupRecord] = []
            for scheme in BoardBackup.schemes {
                let number = SchemeCode(scheme).rawValue
                records.append(try client.backup(ofScheme: number, context: label.context))
            }
            return (label, configuration, records)
        } catch {
            if case .refused(_, .notSupported) = error {
                throw Failure(
                    .unavailable, "the board's agent is of a version without backups; update it first")
            }
            throw Failure(error, saidBy: client, nothing: "was saved")
        }
    }

    private func write(_ backup: BoardBackup) throws(Failure) {
        let path = output ?? "\(backup.log.short).backup.json"
        do throws(DurableFileError) {
            try DurableFile.createWhole(path, backup.file, mode: DurableFile.privateMode)
        } catch {
            guard case .exists = error else { throw Failure(error) }
            throw Failure(
                .cannotCreate, "\(path): already exists and was not changed; give another file with --output")
        }
        Console.print("\(path): backup of \(backup.title)")
        let owner = Fingerprint.text(backup.ownerFingerprint)
        let names = Self.names(backup.schemes(.sealed))
        if names.isEmpty {
            Console.print("  settings and keys; the board has no secrets of a scheme")
        } else {
            Console.print(
                """
                  settings, keys and secrets (\(names))
                  To restore it you need the private owner key \(owner).
                """)
        }
        let unreadable = Self.names(backup.schemes(.unreadable))
        guard unreadable.isEmpty else {
            throw Failure(
                .data,
                "\(path): without the secrets of \(unreadable), which the board could not read; give it new ones "
                    + "with `tabardctl provision --scheme`, then make another backup")
        }
    }

    /// The schemes for people: "herald, sonar".
    static func names(_ schemes: [SchemeID]) -> String {
        schemes.map { "\($0.name)" }.joined(separator: ", ")
    }
}

extension BoardBackup {
    /// The board, for its operator.
    var title: String { label.name.map { "\($0) (log \(log.short))" } ?? "log \(log.short)" }
}
