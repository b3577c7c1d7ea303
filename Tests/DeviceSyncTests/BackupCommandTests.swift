import Cryptography
import DeviceSync
import FixedMemory
import TestSupport
import Testing

/// Tests copies of a scheme's secrets: only the operator gets them, and only the owner can read them.
@Suite struct BackupCommandTests {
    private func backup(
        _ scene: SignedCommandScene, scheme: UInt8 = 1
    ) throws -> (sealed: [UInt8], signature: Bytes<64>) {
        let request = try SyncRequest.backup(scheme: scheme, sequence: 1)
        let envelope = try scene.envelope(request, nonce: scene.nonce())
        let answer = try scene.ask(envelope)
        let (sealed, signature) = try SyncResponse(answer.span, to: envelope).backup()
        return (array(sealed.span), signature)
    }

    private func verify(
        _ sealed: [UInt8], _ signature: Bytes<64>, scheme: UInt8 = 1, of scene: SignedCommandScene
    ) throws {
        let contents = BackupContents(scheme: scheme, configuration: SignedCommandScene.configuration)
        let digest = BackupStatement.digest(
            of: sealed.span, contents, logIdentity: scene.store.status.logIdentity)
        try scene.boardKey.verify(signature, digest: digest)
    }

    @Test func `the longest record comes back, sealed for the owner and signed by the board`() throws {
        let scene = try SignedCommandScene()
        let record = (0..<1_813).map { UInt8(truncatingIfNeeded: $0) }
        scene.secrets = record
        let (sealed, signature) = try backup(scene)
        try verify(sealed, signature, of: scene)
        let identity = scene.store.status.logIdentity
        let opened = try SealedRecord.open(
            sealed.span, with: scene.owner.scalar, .backup, logIdentity: identity)
        #expect(array(opened.span) == record)
        #expect(scene.stepCount > 2, "verification, agreement and signature are steps of their own")
        #expect(try backup(scene).sealed != sealed, "each copy has a fresh key")
    }

    @Test func `the signature covers the scheme, the configuration, the record and the log`() throws {
        let scene = try SignedCommandScene()
        scene.secrets = [1, 2, 3]
        var (sealed, signature) = try backup(scene)
        #expect(throws: CryptographyError.authenticationFailed) {
            try verify(sealed, signature, scheme: 2, of: scene)
        }
        let other = BackupStatement.digest(
            of: sealed.span, BackupContents(scheme: 1), logIdentity: scene.store.status.logIdentity)
        let key = scene.boardKey
        #expect(throws: CryptographyError.authenticationFailed) { try key.verify(signature, digest: other) }
        sealed[70] ^= 1
        #expect(throws: CryptographyError.authenticationFailed) { try verify(sealed, signature, of: scene) }
        sealed[70] ^= 1
        scene.store.status.logIdentity = Bytes()
        #expect(throws: CryptographyError.authenticationFailed) { try verify(sealed, signature, of: scene) }
    }

    @Test func `nobody but the owner opens it, and it cannot be passed on to a board`() throws {
        let scene = try SignedCommandScene()
        scene.secrets = [1, 2, 3]
        let sealed = try backup(scene).sealed
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
        let (sealed, signature) = try backup(scene, scheme: 0)
        #expect(sealed.isEmpty)
        try verify(sealed, signature, scheme: 0, of: scene)
    }

    @Test func `without the operator's signature there is no copy`() throws {
        let scene = try SignedCommandScene()
        scene.secrets = [1]
        let request = try SyncRequest.backup(scheme: 1, sequence: 1)
        #expect(try scene.refusal(of: request) == .accessDenied)
    }

    @Test func `a board without an owner key has nobody to seal a copy for`() throws {
        let scene = try SignedCommandScene(isProvisioned: false)
        scene.secrets = [1]
        let request = try SyncRequest.backup(scheme: 1, sequence: 1)
        #expect(try scene.refusal(of: request) == .notProvisioned)
    }

    @Test func `secrets that cannot be read are a refusal, and so is a number that is no scheme's`() throws {
        let scene = try SignedCommandScene()
        scene.canReadSecrets = false
        let request = try SyncRequest.backup(scheme: 1, sequence: 1)
        let envelope = try scene.envelope(request, nonce: scene.nonce())
        #expect(try scene.refusal(of: envelope) == .unknown)
        var packet = SMPPacket(SMPHeader(.write, .backup, sequence: 2))
        try packet.append(cborMap: 1)
        try packet.append(key: "scheme", unsigned: 256)
        let other = try scene.envelope(packet, nonce: scene.nonce())
        #expect(try scene.refusal(of: other) == .invalidValue)
    }

    @Test func `a request that comes meanwhile ends the sealing`() throws {
        let scene = try SignedCommandScene()
        scene.secrets = [1]
        let request = try SyncRequest.backup(scheme: 1, sequence: 1)
        let envelope = try scene.envelope(request, nonce: scene.nonce())
        try scene.begin(envelope)
        let keys = SyncRequest.keys(sequence: 2)
        #expect(try scene.refusal(of: keys) == nil)
        #expect(!scene.hasWork)
    }
}
