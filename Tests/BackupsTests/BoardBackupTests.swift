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

    private func record(_ scheme: UInt8, _ secrets: [UInt8]) throws -> BoardBackupRecord {
        let identity = Bytes<16>([UInt8](1...16)) ?? Bytes()
        let sealed =
            secrets.isEmpty
            ? FixedBuffer<2048>()
            : try SealedRecord.seal(
                secrets.span, for: owner, .backup, logIdentity: identity, entropy: .system)
        let contents = BackupContents(scheme: scheme, configuration: SHA256.digest(of: listing.span))
        let digest = BackupStatement.digest(of: sealed.span, contents, logIdentity: identity)
        var key = try P256PrivateKey(scalar: boardScalar, entropy: .system)
        return BoardBackupRecord(
            scheme: scheme, sealed: [UInt8](copying: sealed.span),
            signature: try key.sign(digest: digest, entropy: .system))
    }

    private func backup(_ secrets: [(scheme: UInt8, record: [UInt8])] = []) throws -> BoardBackup {
        var records = [try record(0, [])]
        for (scheme, secrets) in secrets { records.append(try record(scheme, secrets)) }
        return BoardBackup(
            madeAt: 1_800_000_000, name: "Foyer \"A\"", log: try #require(log), agentVersion: "0.3.0",
            boardKey: board, ownerFingerprint: owner.fingerprint, operatorFingerprint: Bytes(),
            configuration: listing, records: records)
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
        let written = try backup([(2, registration)])
        let read = try BoardBackup(file: written.file)
        #expect(read == written)
        try read.verify()
        var nameless = written
        nameless.name = nil
        #expect(try BoardBackup(file: nameless.file) == nameless)
    }

    @Test func `the owner opens the secrets, with any of several keys`() throws {
        let registration = try registration
        let backup = try backup([(2, registration)])
        let secrets = try #require(backup.secrets.first)
        let other = try P256PrivateKey(entropy: .system).scalarBytes()
        #expect(
            try backup.open(secrets, with: [other, ownerScalar]) == .sonarRegistration(record: registration))
        #expect(throws: BackupError.sealedForAnother) { try backup.open(secrets, with: [other]) }
        #expect(throws: BackupError.sealedForAnother) { try backup.open(secrets, with: []) }
    }

    @Test(arguments: [UInt8(1), 2, 3, 4, 9]) func `a record that is none of its scheme is refused`(
        scheme: UInt8
    ) throws {
        let backup = try backup([(scheme, [1, 2, 3])])
        let secrets = try #require(backup.secrets.first)
        #expect(throws: BackupError.damagedRecord) { try backup.open(secrets, with: [ownerScalar]) }
    }

    @Test func `a record of day keys without a day is refused`() throws {
        let none = DayKeys(.herald).record
        let backup = try backup([(1, [UInt8](copying: none.span))])
        let secrets = try #require(backup.secrets.first)
        #expect(throws: BackupError.damagedRecord) { try backup.open(secrets, with: [ownerScalar]) }
    }

    @Test func `a name that would control a terminal is refused`() throws {
        var backup = try backup()
        backup.name = "Foyer\u{1b}[2J"
        #expect(throws: BackupError.malformed("\"name\" has control characters")) {
            try BoardBackup(file: backup.file)
        }
    }

    @Test func `whatever is changed, the board has not signed it`() throws {
        let whole = try backup([(2, registration)])
        var changed = whole
        changed.configuration[3] ^= 1
        #expect(throws: BackupError.notSigned) { try changed.verify() }
        changed = whole
        changed.log = try #require(LogIdentity([UInt8](repeating: 0, count: 16)))
        #expect(throws: BackupError.notSigned) { try changed.verify() }
        changed = whole
        changed.boardKey = owner
        #expect(throws: BackupError.notSigned) { try changed.verify() }
        changed = whole
        changed.records.removeFirst()
        #expect(throws: BackupError.notSigned, "the configuration needs a signature") {
            try changed.verify()
        }
        changed.records = []
        #expect(throws: BackupError.notSigned) { try changed.verify() }
    }

    @Test func `no prefix of a file, and no file with a changed byte, traps or passes`() throws {
        let file = try backup([(2, registration)]).file
        for count in 0..<file.count - 1 {
            #expect(throws: BackupError.self) { try BoardBackup(file: Array(file.prefix(count))) }
        }
        for index in stride(from: 0, to: file.count, by: 7) {
            var damaged = file
            damaged[index] ^= 0x11
            _ = try? BoardBackup(file: damaged).verify()
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
