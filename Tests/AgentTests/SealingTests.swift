import Agent
import Cryptography
import DeviceSync
import EncounterLog
import FixedMemory
import TestSupport
import Testing

@testable import Radio

/// Tests log encryption on a board that has an owner key, or gets one.
@Suite struct SealingTests {
    private let owner: OwnerKeyPair
    private let operatorScalar: Bytes<32>
    private let operatorKey: P256PublicKey

    init() throws {
        owner = try OwnerKeyPair()
        let pair = try P256PrivateKey(entropy: .system)
        operatorScalar = try pair.scalarBytes()
        operatorKey = pair.publicKey
    }

    private func world(isProvisioned: Bool) throws -> BoardWorld {
        let world = BoardWorld()
        var keys = try BoardKeys(entropy: .system)
        if isProvisioned {
            keys.publicHalves.ownerKey = owner.publicKey
            keys.publicHalves.operatorKey = operatorKey
        }
        world.store.keys = keys
        return world
    }

    /// Sets new keys on the board, signed as a board with an operator key requires.
    private func rotate(_ scene: inout Scene, to ownerKey: P256PublicKey) throws -> BoardKeyReport {
        let question = SyncRequest.nonce(sequence: 1)
        let answer = try scene.ask(question)
        let nonce = try SyncResponse(answer.span, to: question).nonce()
        let identity = try scene.boardStatus().logIdentity
        let change = try SyncRequest.setKeys(ownerKey: ownerKey, operatorKey: nil, sequence: 2)
        let digest = SignedCommand.digest(of: change.span, nonce: nonce, logIdentity: identity)
        var pair = try P256PrivateKey(scalar: operatorScalar, entropy: .system)
        let signature = try pair.sign(digest: digest, entropy: .system)
        let request = try SyncRequest.signed(change, signature: signature, sequence: 3)
        let report = try scene.ask(request)
        return try SyncResponse(report.span, to: request).keys()
    }

    @Test func `only the owner key reads the log of a provisioned board`() throws {
        let world = try world(isProvisioned: true)
        var scene = try Scene("log.loss_window_seconds=10", in: world)
        scene.phones = [try ScriptedPhone(1)]
        scene.run(milliseconds: 20_000)
        let isSealed = try scene.boardStatus().isSealed
        #expect(isSealed == true)
        scene.stop()
        #expect(world.medium.entries.isEmpty)
        #expect(world.medium.entries(for: [owner]).compactMap(\.identified).count == 1)
        #expect(world.medium.entries(for: [owner]).compactMap(\.boot).count == 1)
    }

    @Test func `in normal operation every epoch is ready before it is needed`() throws {
        let world = try world(isProvisioned: true)
        var scene = try Scene("encounters.sample_seconds=1", "log.loss_window_seconds=10", in: world)
        scene.phones = try (0..<12 as Range<UInt64>).map {
            try ScriptedPhone($0, payload: [0x10, UInt8($0)])
        }
        scene.run(milliseconds: 240_000)
        let haste = scene.sealCounters.epochsPreparedInHaste
        scene.stop()
        let pages = ReadPages.pages(
            ofMedium: world.medium.bytes, geometry: world.medium.geometry, keys: [owner])
        #expect((pages.last?.position.segmentOrdinal ?? 0) >= 4)
        #expect(haste == 0)
        #expect(pages.flatMap(\.entries).compactMap(\.identified).count == 12)
    }

    @Test func `a board provisioned at runtime encrypts its log from the answer on`() throws {
        let world = try world(isProvisioned: false)
        var scene = try Scene("log.loss_window_seconds=300", in: world)
        scene.phones = [try ScriptedPhone(1)]
        scene.run(milliseconds: 20_000)
        _ = try scene.fetch("/index")
        let isSealedBefore = try scene.boardStatus().isSealed
        #expect(isSealedBefore == false)
        let inClear = world.medium.entries.count
        #expect(inClear > 0)
        let request = try SyncRequest.setKeys(
            ownerKey: owner.publicKey, operatorKey: operatorKey, sequence: 1)
        let answer = try scene.ask(request)
        let report = try SyncResponse(answer.span, to: request).keys()
        #expect(report.ownerFingerprint == owner.publicKey.fingerprint)
        let isSealed = try scene.boardStatus().isSealed
        #expect(isSealed == true)
        #expect(world.hasNotice(.logOwnerKeyChanged))
        let before = world.medium.entries.count
        scene.phones = [try ScriptedPhone(1), try ScriptedPhone(2)]
        scene.run(milliseconds: 20_000)
        let haste = scene.sealCounters.epochsPreparedInHaste
        scene.stop()
        #expect(haste == 0)
        #expect(world.medium.entries.count == before)
        #expect(world.medium.entries.compactMap(\.identified).count == 1)
        #expect(world.medium.entries(for: [owner]).compactMap(\.identified).count == 2)
        #expect(world.medium.entries(for: [owner]).compactMap(\.coverage).count >= 1)
    }

    @Test func `a new owner key reads the entries after its provisioning, the old key those before`() throws {
        let world = try world(isProvisioned: true)
        let next = try OwnerKeyPair()
        var scene = try Scene("log.loss_window_seconds=300", in: world)
        scene.phones = [try ScriptedPhone(1)]
        scene.run(milliseconds: 20_000)
        _ = try scene.fetch("/index")
        let report = try rotate(&scene, to: next.publicKey)
        #expect(report.ownerFingerprint == next.publicKey.fingerprint)
        scene.phones = [try ScriptedPhone(1), try ScriptedPhone(2)]
        scene.run(milliseconds: 20_000)
        scene.stop()
        #expect(world.medium.entries(for: [owner]).compactMap(\.identified).count == 1)
        #expect(world.medium.entries(for: [next]).compactMap(\.identified).count == 1)
        #expect(world.medium.entries(for: [owner, next]).compactMap(\.boot).count == 1)
    }

    @Test func `after a restart the log is encrypted with the stored keys`() throws {
        let world = try world(isProvisioned: true)
        let next = try OwnerKeyPair()
        var scene = try Scene(in: world)
        scene.run(milliseconds: 5_000)
        _ = try rotate(&scene, to: next.publicKey)
        var again = try Scene(in: world, boot: 8)
        again.run(milliseconds: 5_000)
        again.stop()
        #expect(world.medium.entries(for: [next]).compactMap(\.boot).map(\.bootIdentifier).contains(8))
    }
}
