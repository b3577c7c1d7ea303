import Cryptography
import DeviceSync
import FixedMemory
import TestSupport
import Testing

/// Tests copies of a scheme's secrets: only the operator gets them, and only the owner can read them.
@Suite struct BackupCommandTests {
    private static let context = Bytes<32>([UInt8](repeating: 7, count: 32)) ?? Bytes()

    private func request(_ scheme: UInt8 = 1) throws -> SMPPacket {
        try SyncRequest.backup(scheme: scheme, context: Self.context, sequence: 1)
    }

    private func backup(_ scene: SignedCommandScene, scheme: UInt8 = 1) throws -> BackupAnswer {
        let envelope = try scene.envelope(request(scheme), nonce: scene.nonce())
        let answer = try scene.ask(envelope)
        return try SyncResponse(answer.span, to: envelope).backup()
    }

    private func contents(_ state: BackupState = .sealed) -> BackupContents {
        var contents = BackupContents()
        contents.scheme = 1
        contents.state = state
        contents.context = Self.context
        contents.configuration = SignedCommandScene.configuration
        return contents
    }

    private func isSigned(
        _ sealed: [UInt8], _ signature: Bytes<64>, _ contents: BackupContents, log: Bytes<16>? = nil,
        by scene: SignedCommandScene
    ) -> Bool {
        let digest = BackupStatement.digest(
            of: sealed.span, contents, logIdentity: log ?? scene.store.status.logIdentity)
        return (try? scene.boardKey.verify(signature, digest: digest)) != nil
    }

    @Test func `the longest record comes back, sealed for the owner and signed by the board`() throws {
        let scene = try SignedCommandScene()
        let record = (0..<1_813).map { UInt8(truncatingIfNeeded: $0) }
        scene.secrets = record
        let copy = try backup(scene)
        let sealed = array(copy.sealed.span)
        #expect(copy.state == .sealed)
        #expect(isSigned(sealed, copy.signature, contents(), by: scene))
        let identity = scene.store.status.logIdentity
        let opened = try SealedRecord.open(
            sealed.span, with: scene.owner.scalar, .backup, logIdentity: identity)
        #expect(array(opened.span) == record)
        #expect(scene.stepCount > 2, "verification, agreement and signature are steps of their own")
        let other = try backup(scene)
        #expect(array(other.sealed.span) != sealed, "each copy has a fresh key")
    }

    @Test func `the signature covers the record and all that belongs to it`() throws {
        let scene = try SignedCommandScene()
        scene.secrets = [1, 2, 3]
        let copy = try backup(scene)
        var sealed = array(copy.sealed.span)
        #expect(isSigned(sealed, copy.signature, contents(), by: scene))
        let changes: [(inout BackupContents) -> Void] = [
            { $0.scheme = 2 }, { $0.state = .none }, { $0.context = Bytes() },
            { $0.configuration = Bytes() }, { $0.owner[0] = 1 }, { $0.operatorKey[0] = 1 },
        ]
        for change in changes {
            var changed = contents()
            change(&changed)
            #expect(!isSigned(sealed, copy.signature, changed, by: scene))
        }
        #expect(!isSigned(sealed, copy.signature, contents(), log: Bytes(), by: scene))
        sealed[70] ^= 1
        #expect(!isSigned(sealed, copy.signature, contents(), by: scene))
    }

    @Test func `nobody but the owner opens it, and it cannot be passed on to a board`() throws {
        let scene = try SignedCommandScene()
        scene.secrets = [1, 2, 3]
        let sealed = array(try backup(scene).sealed.span)
        let identity = scene.store.status.logIdentity
        for (scalar, purpose, log) in [
            (try KeyPair().scalar, SealedRecord.Purpose.backup, identity),
            (scene.owner.scalar, .provisioning, identity),
            (scene.owner.scalar, .backup, Bytes<16>()),
        ] {
            #expect(throws: CryptographyError.authenticationFailed) {
                try SealedRecord.open(sealed.span, with: scalar, purpose, logIdentity: log)
            }
        }
        for byteCount in [0, 1, 79, 80, 2_049] {
            let bytes = [UInt8](repeating: 0, count: byteCount)
            #expect(throws: CryptographyError.self) {
                try SealedRecord.open(bytes.span, with: scene.owner.scalar, .backup, logIdentity: identity)
            }
        }
    }

    @Test func `a scheme without secrets has an empty record, which the board signs`() throws {
        let scene = try SignedCommandScene()
        let copy = try backup(scene)
        #expect(copy.sealed.isEmpty && copy.state == .none)
        #expect(isSigned([], copy.signature, contents(.none), by: scene))
    }

    @Test func `secrets that the board cannot read have an empty record, and the board says so`() throws {
        let scene = try SignedCommandScene()
        scene.canReadSecrets = false
        let copy = try backup(scene)
        #expect(copy.sealed.isEmpty && copy.state == .unreadable)
        #expect(isSigned([], copy.signature, contents(.unreadable), by: scene))
    }

    @Test func `without the operator's signature there is no copy`() throws {
        let scene = try SignedCommandScene()
        scene.secrets = [1]
        #expect(try scene.refusal(of: request()) == .accessDenied)
    }

    @Test func `a board without an owner key has nobody to seal a copy for`() throws {
        let scene = try SignedCommandScene(isProvisioned: false)
        scene.secrets = [1]
        #expect(try scene.refusal(of: request()) == .notProvisioned)
    }

    @Test(arguments: [(UInt64(256), 32), (1, 31), (1, 33)])
    func `a number that is no scheme's is refused, and so is a context of another length`(
        scheme: UInt64, byteCount: Int
    ) throws {
        let scene = try SignedCommandScene()
        let context = [UInt8](repeating: 0, count: byteCount)
        var packet = SMPPacket(SMPHeader(.write, .backup, sequence: 2))
        try packet.append(cborMap: 2)
        try packet.append(key: "scheme", unsigned: scheme)
        try packet.append(key: "context", bytes: context.span)
        let other = try scene.envelope(packet, nonce: scene.nonce())
        #expect(try scene.refusal(of: other) == .invalidValue)
    }

    @Test func `a request that comes meanwhile ends the sealing, and no secret stays in memory`() throws {
        let scene = try SignedCommandScene()
        scene.secrets = [UInt8](repeating: 0xA5, count: 40)
        let envelope = try scene.envelope(request(), nonce: scene.nonce())
        try scene.begin(envelope)
        #expect(scene.hasWork)
        #expect(scene.holdsSecrets)
        let keys = SyncRequest.keys(sequence: 2)
        #expect(try scene.refusal(of: keys) == nil)
        #expect(!scene.hasWork)
        #expect(!scene.holdsSecrets)
    }
}
