import Cryptography
import DeviceSync
import EncounterLog
import FixedMemory
import TestSupport
import Testing
import Updates

@testable import Agent
@testable import Simulator

/// Tests how the agent takes an update over the cable.
@Suite struct UpdateTests {
    private let world = BoardWorld()
    private let file: [UInt8]
    /// The scalar of the operator's private key.
    private let operatorScalar: Bytes<32>

    init() throws {
        let pair = try P256PrivateKey(entropy: .system)
        operatorScalar = try pair.scalarBytes()
        file = try Self.file(signedBy: operatorScalar)
        world.store.keys = try BoardKeys(entropy: .system)
        world.store.keys?.publicHalves.operatorKey = pair.publicKey
        world.store.updates.slot = 0
    }

    private static func file(
        version: [UInt8] = [0, 9, 0], architecture: [UInt8] = [], isDowngrade: Bool = false,
        signedBy scalar: Bytes<32>
    ) throws -> [UInt8] {
        let image = (0..<5_000).map { UInt8(truncatingIfNeeded: $0 * 7) }
        let name = architecture + [UInt8](repeating: 0, count: 16 - architecture.count)
        let header = UpdateHeader(
            version: Bytes<3>(version.span) ?? Bytes(), isDowngrade: isDowngrade,
            architecture: Bytes<16>(name.span) ?? Bytes(), imageByteCount: UInt32(image.count),
            imageDigest: SHA256.digest(of: image.span))
        let signature = try sign(header.digest, with: scalar)
        let start = header.signedBytes
        return start.span.array + signature.span.array + image
    }

    private static func sign(_ digest: Bytes<32>, with scalar: Bytes<32>) throws -> Bytes<64> {
        var key = try P256PrivateKey(scalar: scalar, entropy: .system)
        return try key.sign(digest: digest, entropy: .system)
    }

    /// Announces a file, as its operator does.
    /// - Returns: where its next piece belongs.
    private func announce(_ file: [UInt8], in scene: inout Scene) throws -> UInt32 {
        let nonceRequest = SyncRequest.nonce(sequence: 1)
        let nonceAnswer = try scene.ask(nonceRequest)
        let nonce = try SyncResponse(nonceAnswer.span, to: nonceRequest).nonce()
        let request = try SyncRequest.expectUpdate(
            byteCount: UInt32(file.count), digest: SHA256.digest(of: file.span), sequence: 2)
        var logIdentity = Bytes<16>()
        logIdentity[0] = 0xab
        let digest = SignedCommand.digest(of: request.span, nonce: nonce, logIdentity: logIdentity)
        let signature = try Self.sign(digest, with: operatorScalar)
        let envelope = try SyncRequest.signed(request, signature: signature, sequence: 3)
        let answer = try scene.ask(envelope, atMost: 10_000)
        return try SyncResponse(answer.span, to: envelope).updateOffset()
    }

    private func send(
        _ bytes: ArraySlice<UInt8>, at offset: Int, in scene: inout Scene
    ) throws -> (offset: UInt32, restarts: Bool) {
        let piece = Array(bytes)
        let request = try SyncRequest.updatePiece(piece.span, offset: UInt32(offset), sequence: 4)
        let answer = try scene.ask(request)
        let response = try SyncResponse(answer.span, to: request)
        return (try response.updateOffset(), try response.restarts())
    }

    /// Sends all of a file in pieces.
    private func sendAll(_ file: [UInt8], in scene: inout Scene) throws {
        var offset = Int(try announce(file, in: &scene))
        while offset < file.count {
            let next = try send(file[offset..<min(offset + 2_000, file.count)], at: offset, in: &scene)
            offset = Int(next.offset)
        }
    }

    @Test func `a signed update is stored, and the agent ends for it with all of its log on the medium`()
        throws
    {
        var scene = try Scene(in: world)
        scene.phones = [try ScriptedPhone(1)]
        scene.run(milliseconds: 2_000)
        try sendAll(file, in: &scene)
        #expect(world.store.updates.file == file)
        #expect(world.store.updates.finishedVersion == Bytes<3>([0, 9, 0].span))
        scene.run(milliseconds: 4_000)
        #expect(scene.hasEnded && scene.ending == .updated)
        #expect(
            world.medium.entries.contains { $0.closed != nil }
                || world.medium.entries.contains { $0.sample != nil })
    }

    @Test func `an update that is cut off at any piece changes nothing, and goes on where it stopped`() throws
    {
        var scene = try Scene(in: world)
        scene.settle()
        for end in stride(from: 500, to: file.count, by: 500) {
            let offset = Int(try announce(file, in: &scene))
            #expect(offset == end - 500)
            let next = try send(file[offset..<end], at: offset, in: &scene)
            #expect(Int(next.offset) == end && !next.restarts)
            #expect(world.store.updates.finishedVersion == nil && !scene.hasEnded)
        }
    }

    @Test func `a piece that comes twice, or too early, changes nothing`() throws {
        var scene = try Scene(in: world)
        scene.settle()
        _ = try announce(file, in: &scene)
        for offset in [0, 0, 1_000, 300] {
            let next = try send(file[offset..<offset + 500], at: offset, in: &scene)
            #expect(next.offset == 500)
        }
        #expect(world.store.updates.file == Array(file[..<500]))
    }

    @Test func `other bytes than the announced ones are refused at the end`() throws {
        var scene = try Scene(in: world)
        scene.settle()
        _ = try announce(file, in: &scene)
        var changed = file
        changed[file.count - 1] ^= 1
        #expect(throws: SyncResponseError.refused(.updateRefused)) {
            var offset = 0
            while offset < changed.count {
                let piece = changed[offset..<min(offset + 2_000, changed.count)]
                offset = Int(try send(piece, at: offset, in: &scene).offset)
            }
        }
        #expect(world.store.refusals.last == .update(.notAnnounced))
        #expect(world.store.updates.finishedVersion == nil)
    }

    @Test func `a file for another processor, an older one and a strange one are refused at once`() throws {
        var scene = try Scene(in: world)
        scene.settle()
        let cases: [(file: [UInt8], refusal: UpdateRefusal)] = [
            (try Self.file(architecture: Array("armv6l".utf8), signedBy: operatorScalar), .otherArchitecture),
            (try Self.file(version: [0, 0, 1], signedBy: operatorScalar), .older),
            ([UInt8](repeating: 7, count: 3_000), .unknownFormat),
            (Array(file.dropLast()), .wrongLength),
        ]
        for (file, refusal) in cases {
            _ = try announce(file, in: &scene)
            #expect(throws: SyncResponseError.refused(.updateRefused)) {
                _ = try send(file[..<2_000], at: 0, in: &scene)
            }
            #expect(world.store.refusals.last == .update(refusal))
        }
        try sendAll(
            try Self.file(version: [0, 0, 1], isDowngrade: true, signedBy: operatorScalar), in: &scene)
        #expect(world.store.updates.finishedVersion != nil)
    }

    @Test func `nobody but the operator announces an update`() throws {
        var scene = try Scene(in: world)
        scene.settle()
        let request = try SyncRequest.expectUpdate(byteCount: 500, digest: Bytes(), sequence: 2)
        let answer = try scene.ask(request)
        #expect(throws: SyncResponseError.refused(.accessDenied)) {
            try SyncResponse(answer.span, to: request).updateOffset()
        }
        let start = Array(file[..<100])
        let piece = try SyncRequest.updatePiece(start.span, offset: 0, sequence: 3)
        let second = try scene.ask(piece)
        #expect(throws: SyncResponseError.refused(.updateRefused)) {
            try SyncResponse(second.span, to: piece).updateOffset()
        }
    }

    @Test func `an agent on trial takes no update, nor does one without a launcher`() throws {
        var scene = try Scene(in: world)
        scene.settle()
        world.store.updates.isOnTrial = true
        #expect(throws: SyncResponseError.refused(.updateRefused)) { try announce(file, in: &scene) }
        #expect(world.store.refusals.last == .update(.onTrial))
        world.store.updates.slot = nil
        #expect(throws: SyncResponseError.refused(.updateRefused)) { try announce(file, in: &scene) }
        #expect(world.store.refusals.last == .update(.notLaunched))
    }

    @Test func `a medium that does not take the file leaves everything as it was`() throws {
        var scene = try Scene(in: world)
        scene.settle()
        _ = try announce(file, in: &scene)
        world.store.updates.keepsFiles = false
        #expect(throws: SyncResponseError.refused(.updateRefused)) {
            _ = try send(file[..<500], at: 0, in: &scene)
        }
        #expect(world.store.refusals.last == .update(.notStored))
        #expect(world.store.updates.finishedVersion == nil && !scene.hasEnded)
    }

    @Test func `an agent on trial that advertises and writes its log for a minute is confirmed`() throws {
        world.store.updates.isOnTrial = true
        var scene = try Scene(in: world)
        scene.run(milliseconds: 55_000)
        #expect(world.store.updates.isOnTrial)
        scene.run(milliseconds: 10_000)
        #expect(!world.store.updates.isOnTrial && world.hasNotice(.updateConfirmed))
    }

    @Test func `an agent on trial whose medium refuses the log is not confirmed`() throws {
        world.store.updates.isOnTrial = true
        // Within the trial nothing but its end needs the medium.
        var scene = try Scene(options: ["log.loss_window_seconds=3600"], in: world)
        scene.settle()
        world.medium.isBroken = true
        scene.run(milliseconds: 120_000)
        #expect(world.store.updates.isOnTrial)
    }
}
