import Agent
import Cryptography
import DeviceSync
import FixedMemory
import TestSupport
import Testing

/// Tests what ends with a client's session.
@Suite struct SessionTests {
    private let operatorScalar: Bytes<32>
    private let world = BoardWorld()

    init() throws {
        let pair = try P256PrivateKey(entropy: .system)
        operatorScalar = try pair.scalarBytes()
        var keys = try BoardKeys(entropy: .system)
        keys.publicHalves.operatorKey = pair.publicKey
        keys.publicHalves.ownerKey = pair.publicKey
        world.store.keys = keys
    }

    private func nonce(_ scene: inout Scene) throws -> Bytes<16> {
        let question = SyncRequest.nonce(sequence: 1)
        let answer = try scene.ask(question)
        return try SyncResponse(answer.span, to: question).nonce()
    }

    /// Sends a signed clock command; returns the board's refusal.
    private func setClock(_ scene: inout Scene, nonce: Bytes<16>) throws -> SMPRefusal? {
        let command = try SyncRequest.setClock(1_800_000_000_000, errorMilliseconds: 20, sequence: 2)
        let identity = try #require(world.board.setup.logIdentity)
        let digest = SignedCommand.digest(of: command.span, nonce: nonce, logIdentity: identity)
        var pair = try P256PrivateKey(scalar: operatorScalar, entropy: .system)
        let signature = try pair.sign(digest: digest, entropy: .system)
        let request = try SyncRequest.signed(command, signature: signature, sequence: 3)
        let answer = try scene.ask(request)
        do throws(SyncResponseError) {
            _ = try SyncResponse(answer.span, to: request)
            return nil
        } catch {
            guard case .refused(let refusal) = error else { throw error }
            return refusal
        }
    }

    @Test func `a nonce is valid in the session that got it`() throws {
        var scene = try Scene(in: world)
        scene.run(milliseconds: 2_000)
        let nonce = try nonce(&scene)
        scene.run(milliseconds: 3_000)
        #expect(try setClock(&scene, nonce: nonce) == nil)
    }

    @Test func `a nonce ends with silence`() throws {
        var scene = try Scene(in: world)
        scene.run(milliseconds: 2_000)
        let nonce = try nonce(&scene)
        scene.run(milliseconds: 6_000)
        #expect(try setClock(&scene, nonce: nonce) == .nonceUnknown)
    }

    @Test func `a nonce ends when the cable is pulled`() throws {
        var scene = try Scene(in: world)
        scene.run(milliseconds: 2_000)
        let nonce = try nonce(&scene)
        world.board.line.faults.isGone = true
        scene.run(milliseconds: 100)
        world.board.line.faults.isGone = false
        #expect(try setClock(&scene, nonce: nonce) == .nonceUnknown)
    }
}
