import DeviceSync
import FixedMemory
import Testing

/// Keys that a client gives to a board, first or later.
@Suite struct ProvisioningTests {
    private let clock: SMPPacket

    init() throws {
        clock = try SyncRequest.setClock(1_800_000_000_000, errorMilliseconds: 20, sequence: 1)
    }

    @Test func `an unprovisioned board accepts commands and keys from any client`() throws {
        let scene = try SignedCommandScene(isProvisioned: false)
        #expect(try scene.refusal(of: clock) == nil)
        #expect(try scene.refusal(of: SyncRequest.nonce(sequence: 1)) == .notProvisioned)
        let envelope = try scene.envelope(clock, nonce: Bytes<16>())
        #expect(try scene.refusal(of: envelope) == .notProvisioned)
        let request = try SyncRequest.setKeys(
            ownerKey: scene.ownerKey, operatorKey: scene.operatorKey.publicHalf, sequence: 2)
        let answer = try scene.ask(request)
        let response = try SyncResponse(answer.span, to: request)
        let report = try response.keys()
        #expect(report.board == scene.store.publicKeys?.board)
        #expect(report.ownerFingerprint == scene.ownerKey.fingerprint)
        #expect(report.operatorFingerprint == scene.operatorKey.publicHalf.fingerprint)
        #expect(try scene.refusal(of: clock) == .accessDenied)
    }

    @Test func `a repeated provisioning request gets the same answer`() throws {
        let scene = try SignedCommandScene(isProvisioned: false)
        let request = try SyncRequest.setKeys(
            ownerKey: scene.ownerKey, operatorKey: scene.operatorKey.publicHalf, sequence: 2)
        let first = try scene.ask(request)
        #expect(try scene.ask(request) == first)
    }

    @Test func `provisioning needs both keys`() throws {
        let scene = try SignedCommandScene(isProvisioned: false)
        let one = try SyncRequest.setKeys(ownerKey: scene.ownerKey, operatorKey: nil, sequence: 2)
        #expect(try scene.refusal(of: one) == .keysRefused)
    }

    @Test func `bytes that are not a key are refused`() throws {
        let scene = try SignedCommandScene(isProvisioned: false)
        var packet = SMPPacket(SMPHeader(.write, .keys, sequence: 1))
        try packet.append(cborMap: 2)
        try packet.append(key: "opening", bytes: scene.ownerKey.x963.span)
        try packet.append(key: "operator", bytes: Bytes<65>().span)
        #expect(try scene.refusal(of: packet) == .keysRefused)
    }

    @Test func `keys that cannot be stored are not used`() throws {
        let scene = try SignedCommandScene(isProvisioned: false)
        scene.storesKeys = false
        let request = try SyncRequest.setKeys(
            ownerKey: scene.ownerKey, operatorKey: scene.operatorKey.publicHalf, sequence: 2)
        #expect(try scene.refusal(of: request) == .unknown)
        #expect(try scene.refusal(of: clock) == nil)
    }

    @Test func `a rotated key is used immediately`() throws {
        let scene = try SignedCommandScene()
        let successor = try KeyPair()
        let rotation = try SyncRequest.setKeys(
            ownerKey: nil, operatorKey: successor.publicHalf, sequence: 2)
        let nonce = try scene.nonce()
        let envelope = try scene.envelope(rotation, nonce: nonce)
        #expect(try scene.refusal(of: envelope) == nil)
        #expect(scene.store.publicKeys?.ownerKey == scene.ownerKey)
        let next = try scene.nonce()
        let old = try scene.envelope(clock, nonce: next)
        #expect(try scene.refusal(of: old) == .notSigned)
        scene.operatorKey = successor
        let third = try scene.nonce()
        let new = try scene.envelope(clock, nonce: third)
        #expect(try scene.refusal(of: new) == nil)
    }
}
