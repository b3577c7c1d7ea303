import Backups
import BoardLink
import Cryptography
import DeviceSync
import EncounterLog
import FixedMemory
import LogContents
import Schemes
import TestSupport
import Testing

/// Tests the file of a backup: what is written is read again, and whatever is changed is refused.
@Suite struct BoardBackupTests {
    private let board: P256PublicKey
    private let boardScalar: Bytes<32>
    private let owner: P256PublicKey
    private let ownerScalar: Bytes<32>
    private let log = LogIdentity([UInt8](1...16))
    private let listing = Array("[agent]\nname = \"Caf\u{e9} \\\"1\\\"\"  # line 2\n".utf8)

    init() throws {
        let board = try P256PrivateKey(entropy: .system)
        let owner = try P256PrivateKey(entropy: .system)
        self.board = board.publicKey
        boardScalar = try board.scalarBytes()
        self.owner = owner.publicKey
        ownerScalar = try owner.scalarBytes()
    }

    private let label = BackupLabel(
        nonce: Bytes(), madeAt: 1_800_000_000, agentVersion: "0.3.0", name: "Foyer \"A\"")

    /// A record as a board makes it.
    private func record(
        _ scheme: SchemeID, _ secrets: [UInt8], _ state: BackupState, _ label: BackupLabel
    ) throws -> BoardBackupRecord {
        let identity = Bytes<16>([UInt8](1...16)) ?? Bytes()
        let sealed =
            secrets.isEmpty
            ? FixedBuffer<2048>()
            : try SealedRecord.seal(
                secrets.span, for: owner, .backup, logIdentity: identity, entropy: .system)
        var contents = BackupContents()
        contents.scheme = SchemeCode(scheme).rawValue
        contents.state = state
        contents.context = label.context
        contents.configuration = SHA256.digest(of: listing.span)
        contents.owner = owner.fingerprint
        let digest = BackupStatement.digest(of: sealed.span, contents, logIdentity: identity)
        var key = try P256PrivateKey(scalar: boardScalar, entropy: .system)
        return BoardBackupRecord(
            scheme: contents.scheme, state: state, sealed: [UInt8](copying: sealed.span),
            signature: try key.sign(digest: digest, entropy: .system))
    }

    private func backup(
        _ secrets: [SchemeID: [UInt8]] = [:], unreadable: SchemeID? = nil, label: BackupLabel? = nil
    ) throws -> BoardBackup {
        let label = label ?? self.label
        let records = try BoardBackup.schemes.map { scheme in
            let secrets = secrets[scheme] ?? []
            let state: BackupState =
                scheme == unreadable ? .unreadable : secrets.isEmpty ? .none : .sealed
            return try record(scheme, secrets, state, label)
        }
        return BoardBackup(
            label: label, log: try #require(log), boardKey: board, ownerFingerprint: owner.fingerprint,
            operatorFingerprint: Bytes(), configuration: listing, records: records)
    }

    private var registration: [UInt8] {
        get throws {
            let key = try P256PrivateKey(entropy: .system).publicKey
            let registration = SonarRegistration(
                installation: Bytes(), secret: Bytes(), authorityKey: key)
            let record = SonarRegistrationRecord.encode(registration)
            return [UInt8](copying: record.span)
        }
    }

    @Test func `a file is read as it was written`() throws {
        let written = try backup([.sonar: registration], unreadable: .covidTracer)
        let read = try BoardBackup(file: written.file)
        #expect(read == written)
        try read.verify()
        #expect(read.secrets.count == 1 && read.schemes(.unreadable) == [.covidTracer])
        var label = label
        label.name = nil
        let nameless = try BoardBackup(file: backup(label: label).file)
        try nameless.verify()
        #expect(nameless.label == label)
    }

    @Test func `the owner opens the secrets, with any of several keys`() throws {
        let registration = try registration
        let backup = try backup([.sonar: registration])
        let secrets = try #require(backup.secrets.first)
        let other = try P256PrivateKey(entropy: .system).scalarBytes()
        #expect(
            try backup.open(secrets, with: [other, ownerScalar]) == .sonarRegistration(record: registration))
        #expect(throws: BackupError.sealedForAnother) { try backup.open(secrets, with: [other]) }
        #expect(throws: BackupError.sealedForAnother) { try backup.open(secrets, with: []) }
    }

    @Test(arguments: BoardBackup.schemes) func `a record that is none of its scheme is refused`(
        scheme: SchemeID
    ) throws {
        let backup = try backup([scheme: [1, 2, 3]])
        let secrets = try #require(backup.secrets.first)
        #expect(throws: BackupError.damagedRecord) { try backup.open(secrets, with: [ownerScalar]) }
    }

    @Test func `a record of day keys without a day is refused`() throws {
        let none = DayKeys(.herald).record
        let backup = try backup([.herald: [UInt8](copying: none.span)])
        let secrets = try #require(backup.secrets.first)
        #expect(throws: BackupError.damagedRecord) { try backup.open(secrets, with: [ownerScalar]) }
    }

    @Test func `a name that would control a terminal is refused`() throws {
        var backup = try backup()
        backup.label.name = "Foyer\u{1b}[2J"
        #expect(throws: BackupError.malformed("\"name\" has control characters")) {
            try BoardBackup(file: backup.file)
        }
    }

    @Test func `whatever is changed, the board has not signed it`() throws {
        let whole = try backup([.sonar: registration], unreadable: .herald)
        let other = try backup(
            [.sonar: registration],
            label: BackupLabel(
                nonce: Bytes([UInt8](1...16)) ?? Bytes(), madeAt: 0, agentVersion: "", name: nil))
        let nobody = try #require(LogIdentity([UInt8](repeating: 0, count: 16)))
        let changes: [(inout BoardBackup) -> Void] = [
            { $0.configuration[3] ^= 1 }, { $0.log = nobody }, { $0.boardKey = owner },
            { $0.ownerFingerprint[0] ^= 1 }, { $0.operatorFingerprint[0] ^= 1 },
            { $0.label.nonce[0] ^= 1 }, { $0.label.madeAt += 1 }, { $0.label.agentVersion = "0.4.0" },
            { $0.label.name = nil }, { $0.label.name = "Foyer" },
            { $0.records = [] }, { $0.records.removeFirst() }, { $0.records.removeLast() },
            { $0.records.append($0.records[1]) }, { $0.records.swapAt(0, 1) },
            { $0.records[1] = other.records[1] },
        ]
        for (number, change) in changes.enumerated() {
            var changed = whole
            change(&changed)
            #expect(throws: BackupError.notSigned, "change \(number)") { try changed.verify() }
        }
    }

    @Test func `no prefix of a file is a backup, and no file with a changed byte passes`() throws {
        let whole = try backup([.sonar: registration])
        let file = whole.file
        for count in 0..<file.count - 1 {
            #expect(throws: BackupError.self) { try BoardBackup(file: Array(file.prefix(count))) }
        }
        for index in stride(from: 0, to: file.count, by: 7) {
            var damaged = file
            damaged[index] ^= 0x11
            let read = try? BoardBackup(file: damaged)
            // Digits in capitals are the same digits, and a reader ignores a member that it does not know.
            if let read, (try? read.verify()) != nil { #expect(read == whole, "byte \(index)") }
        }
    }

    @Test(arguments: [
        ("{}", BackupError.malformed("not a backup of a board")),
        (#"{"format":"tabard-backup"}"#, .malformed("it states no version")),
        (#"{"format":"tabard-backup","version":2}"#, .unknownVersion(2)),
        (#"{"format":"tabard-backup","version":1}"#, .malformed("\"board\" is missing")),
        (
            #"{"format":"tabard-backup","version":1,"board":"0g"}"#,
            .malformed("\"board\" is not in hexadecimal digits")
        ),
        (
            #"{"format":"tabard-backup","version":1,"board":"04"}"#,
            .malformed("\"board\" is not a P-256 key")
        ),
    ])
    func `a file that is no backup says why`(text: String, error: BackupError) {
        #expect(throws: error) { try BoardBackup(file: Array(text.utf8)) }
    }
}
