import Cryptography
import DeviceSync
import FixedMemory
import TestSupport
import Testing

/// Authorisation on a board with an operator key.
@Suite struct SignedCommandTests {
    /// The server, with the test in the role of the agent, and a client that has the operator key or a wrong
    /// one.
    private final class Scene {
        var server = SyncServer()
        var store = MemoryStore()
        var operatorKey: KeyPair
        let ownerKey: P256PublicKey
        /// The steps that the last request took.
        private(set) var stepCount = 0
        var storesKeys = true
        private var nextNonce: UInt8 = 1

        /// The configuration that the client set.
        var assignments: String?
        var configurationRefusal = ""
        /// The secrets that the client sent.
        var secrets: [UInt8]?
        var secretsRefusal = ""

        init(isProvisioned: Bool = true) throws {
            operatorKey = try KeyPair()
            ownerKey = try P256PrivateKey(entropy: .system).publicKey
            var keys = BoardPublicKeys(board: try P256PrivateKey(entropy: .system).publicKey)
            if isProvisioned {
                keys.ownerKey = ownerKey
                keys.operatorKey = operatorKey.publicHalf
            }
            store.publicKeys = keys
            store.status.logIdentity = Bytes<16>([UInt8](1...16).span) ?? Bytes()
        }

        var hasWork: Bool { server.hasWork }

        func ask(_ packet: SMPPacket) throws -> [UInt8] {
            let bytes = try line(packet)
            server.receive(bytes.span, store: &store)
            answerRequest()
            stepCount = 0
            while server.hasWork {
                server.step(store: &store)
                answerRequest()
                stepCount += 1
            }
            let output = array(server.output)
            server.drain(output.count)
            return frames(in: output).first ?? []
        }

        private func answerRequest() {
            switch server.nextRequest() {
            case nil: break
            case .nonce:
                server.answer(nonce: Bytes<16>([UInt8](repeating: nextNonce, count: 16).span) ?? Bytes())
                nextNonce += 1
            case .storeKeys(let keys):
                if storesKeys { store.publicKeys = keys }
                server.answer(keys: storesKeys ? keys : nil)
            case .send(let message):
                server.answer(
                    .success(MessageReport(number: message.number, queuedCount: 1, leftOutCount: 0)))
            case .report: server.answer(.failure(.unknownMessage))
            case .manifest, .acknowledge, .erase: server.answer(segments: .success(3))
            case .configure:
                assignments = String(decoding: array(server.staged.span), as: UTF8.self)
                server.answer(configurationRefusal: Array(configurationRefusal.utf8).span)
            case .storeSecrets:
                secrets = array(server.staged.span)
                server.answer(secretsRefusal: Array(secretsRefusal.utf8).span)
            }
        }

        func nonce() throws -> Bytes<16> {
            let request = SyncRequest.nonce(sequence: 9)
            let answer = try ask(request)
            let response = try SyncResponse(answer.span, to: request)
            return try response.nonce()
        }

        func envelope(_ command: SMPPacket, nonce: Bytes<16>) throws -> SMPPacket {
            let digest = SignedCommand.digest(
                of: command.span, nonce: nonce, logIdentity: store.status.logIdentity)
            return try SyncRequest.signed(
                command, signature: try operatorKey.sign(digest), sequence: 77)
        }

        /// Sends a packet and returns the refusal; nil if the board ran the command.
        func refusal(of packet: SMPPacket) throws -> SMPRefusal? {
            let answer = try ask(packet)
            do throws(SyncResponseError) {
                _ = try SyncResponse(answer.span, to: packet)
                return nil
            } catch {
                guard case .refused(let refusal) = error else { throw error }
                return refusal
            }
        }
    }

    private let clock: SMPPacket
    private let message: SMPPacket

    init() throws {
        clock = try SyncRequest.setClock(
            milliseconds: 1_800_000_000_000, errorMilliseconds: 20, sequence: 1)
        message = try SyncRequest.send(
            MessageRequest(
                number: 5, recipients: .all, data: FixedBuffer<509>([1, 2].span) ?? FixedBuffer()),
            sequence: 1)
    }

    @Test func changesNothingForWhoDoesNotSign() throws {
        let scene = try Scene()
        let dateTime = try SyncRequest.writeDateTime(milliseconds: 1_800_000_000_000, sequence: 2)
        let keys = try SyncRequest.setKeys(
            ownerKey: nil, operatorKey: P256PrivateKey(entropy: .system).publicKey, sequence: 3)
        let later = [6, 7, 8, 10].map {
            SMPPacket(SMPHeader(.write, SMPCommand(group: 64, command: $0), sequence: 4))
        }
        for packet in [clock, message, dateTime, keys] + later {
            #expect(try scene.refusal(of: packet) == .accessDenied, "command \(packet.header.command)")
        }
        #expect(scene.store.wallClockMilliseconds == nil)
    }

    @Test func whatChangesNothingNeedsNoSignature() throws {
        let scene = try Scene()
        for packet in [
            SyncRequest.parameters(sequence: 1), try SyncRequest.echo([UInt8(0x61)].span, sequence: 2),
            SyncRequest.boardStatus(sequence: 3), SyncRequest.keys(sequence: 4),
            SyncRequest.nonce(sequence: 5),
        ] {
            #expect(try scene.refusal(of: packet) == nil, "command \(packet.header.command)")
        }
    }

    @Test func doesWhatTheOperatorSigned() throws {
        let scene = try Scene()
        let nonce = try scene.nonce()
        let envelope = try scene.envelope(clock, nonce: nonce)
        #expect(try scene.refusal(of: envelope) == nil)
        #expect(scene.store.wallClockMilliseconds == 1_800_000_000_000)
        #expect(scene.stepCount > 0)
    }

    @Test func whatTheOperatorSetsComesWordForWordAndARefusalSaysWhy() throws {
        let scene = try Scene()
        let text = Array("radio.scan=false\nherald.name=Caf\u{e9}".utf8)
        let request = try SyncRequest.setConfiguration(text.span, sequence: 1)
        let taken = try scene.envelope(request, nonce: scene.nonce())
        let answer = try scene.ask(taken)
        #expect(try SyncResponse(answer.span, to: taken).restarts())
        let silence = SyncResponse.reason(answer.span)
        #expect(silence == nil)
        #expect(scene.assignments == "radio.scan=false\nherald.name=Caf\u{e9}")

        scene.configurationRefusal = String(repeating: "because ", count: 100)
        let refused = try scene.envelope(request, nonce: scene.nonce())
        #expect(try scene.refusal(of: refused) == .configurationRefused)
        let second = try scene.envelope(request, nonce: scene.nonce())
        let refusal = try scene.ask(second)
        let words = SyncResponse.reason(refusal.span) ?? FixedBuffer()
        let reason = String(decoding: array(words.span), as: UTF8.self)
        #expect(reason == scene.configurationRefusal)
    }

    @Test func theLongestRecordOfSecretsGoesInOneEnvelopeAndARefusalSaysWhy() throws {
        let scene = try Scene()
        // A record of eight weeks of day keys has this length (Schemes/DayKeys).
        let record = (0..<1_813).map { UInt8(truncatingIfNeeded: $0) }
        let request = try SyncRequest.storeSecrets(record.span, sequence: 1)
        #expect(try scene.refusal(of: request) == .accessDenied)
        #expect(scene.secrets == nil)
        let taken = try scene.envelope(request, nonce: scene.nonce())
        let answer = try scene.ask(taken)
        #expect(try SyncResponse(answer.span, to: taken).restarts())
        #expect(scene.secrets == record)

        scene.secretsRefusal = "no record"
        let refused = try scene.envelope(request, nonce: scene.nonce())
        let refusal = try scene.ask(refused)
        let words = SyncResponse.reason(refusal.span) ?? FixedBuffer()
        #expect(String(decoding: array(words.span), as: UTF8.self) == "no record")
        let again = try scene.envelope(request, nonce: scene.nonce())
        #expect(try scene.refusal(of: again) == .secretsRefused)
    }

    @Test func nothingToSetIsMalformed() throws {
        let scene = try Scene(isProvisioned: false)
        let nothing: [UInt8] = []
        for packet in [
            try SyncRequest.setConfiguration(nothing.span, sequence: 1),
            SMPPacket(SMPHeader(.write, .configuration, sequence: 2)),
            try SyncRequest.storeSecrets(nothing.span, sequence: 3),
            SMPPacket(SMPHeader(.write, .secrets, sequence: 4)),
        ] {
            #expect(try scene.refusal(of: packet) == .invalidValue)
        }
        #expect(scene.assignments == nil)
        #expect(scene.secrets == nil)
    }

    @Test func theAnswerIsTheCommandsOwn() throws {
        let scene = try Scene()
        let nonce = try scene.nonce()
        let envelope = try scene.envelope(message, nonce: nonce)
        let answer = try scene.ask(envelope)
        let response = try SyncResponse(answer.span, to: envelope)
        let report = try response.messageReport()
        #expect(report.number == 5)
        #expect(report.queuedCount == 1)
    }

    @Test func aNonceIsGoodOnce() throws {
        let scene = try Scene()
        let nonce = try scene.nonce()
        let envelope = try scene.envelope(clock, nonce: nonce)
        #expect(try scene.refusal(of: envelope) == nil)
        #expect(try scene.refusal(of: envelope) == .nonceUnknown)
    }

    @Test func aNonceIsVoidWhenTheNextIsAsked() throws {
        let scene = try Scene()
        let nonce = try scene.nonce()
        let envelope = try scene.envelope(clock, nonce: nonce)
        _ = try scene.nonce()
        #expect(try scene.refusal(of: envelope) == .notSigned)
    }

    @Test func aNonceIsUsedUpByAWrongSignature() throws {
        let scene = try Scene()
        let nonce = try scene.nonce()
        let right = try scene.envelope(clock, nonce: nonce)
        let forged = try SyncRequest.signed(clock, signature: Bytes<64>(), sequence: 1)
        #expect(try scene.refusal(of: forged) == .notSigned)
        #expect(try scene.refusal(of: right) == .nonceUnknown)
        #expect(scene.store.wallClockMilliseconds == nil)
    }

    @Test func refusesWhatWasSignedForAnotherBoard() throws {
        let scene = try Scene()
        let nonce = try scene.nonce()
        let envelope = try scene.envelope(clock, nonce: nonce)
        scene.store.status.logIdentity = Bytes<16>()
        #expect(try scene.refusal(of: envelope) == .notSigned)
    }

    @Test func refusesAChangedCommand() throws {
        let scene = try Scene()
        let nonce = try scene.nonce()
        let bytes = array(try scene.envelope(clock, nonce: nonce).span)
        // This byte lies in the middle of the command in the envelope.
        var changed = bytes
        changed[30] ^= 1
        let line = try line(changed)
        scene.server.receive(line.span, store: &scene.store)
        while scene.server.hasWork { scene.server.step(store: &scene.store) }
        #expect(scene.store.wallClockMilliseconds == nil)
    }

    @Test func anEnvelopeHoldsOneCommandAndNoOther() throws {
        let scene = try Scene()
        for inner in [
            SyncRequest.boardStatus(sequence: 1),
            try SyncRequest.signed(clock, signature: Bytes(), sequence: 1),
        ] {
            let nonce = try scene.nonce()
            let envelope = try scene.envelope(inner, nonce: nonce)
            #expect(try scene.refusal(of: envelope) != nil)
        }
    }

    @Test func aRequestMeanwhileTakesTheEnvelopesPlace() throws {
        let scene = try Scene()
        let nonce = try scene.nonce()
        let envelope = try line(scene.envelope(clock, nonce: nonce))
        scene.server.receive(envelope.span, store: &scene.store)
        #expect(scene.hasWork)
        #expect(try scene.refusal(of: SyncRequest.parameters(sequence: 8)) == nil)
        #expect(!scene.hasWork)
        #expect(scene.store.wallClockMilliseconds == nil)
    }

    // MARK: Keys

    @Test func anUnprovisionedBoardTakesCommandsAndKeysFromAnyone() throws {
        let scene = try Scene(isProvisioned: false)
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

    @Test func whoProvisionsAgainForWantOfAnAnswerGetsTheSame() throws {
        let scene = try Scene(isProvisioned: false)
        let request = try SyncRequest.setKeys(
            ownerKey: scene.ownerKey, operatorKey: scene.operatorKey.publicHalf, sequence: 2)
        let first = try scene.ask(request)
        #expect(try scene.ask(request) == first)
    }

    @Test func provisioningTakesBothKeys() throws {
        let scene = try Scene(isProvisioned: false)
        let one = try SyncRequest.setKeys(ownerKey: scene.ownerKey, operatorKey: nil, sequence: 2)
        #expect(try scene.refusal(of: one) == .keysRefused)
    }

    @Test func refusesWhatIsNoKey() throws {
        let scene = try Scene(isProvisioned: false)
        var packet = SMPPacket(SMPHeader(.write, .keys, sequence: 1))
        try packet.append(cborMap: 2)
        try packet.append(key: "opening", bytes: scene.ownerKey.x963.span)
        try packet.append(key: "operator", bytes: Bytes<65>().span)
        #expect(try scene.refusal(of: packet) == .keysRefused)
    }

    @Test func keysThatCannotBeStoredAreNotInForce() throws {
        let scene = try Scene(isProvisioned: false)
        scene.storesKeys = false
        let request = try SyncRequest.setKeys(
            ownerKey: scene.ownerKey, operatorKey: scene.operatorKey.publicHalf, sequence: 2)
        #expect(try scene.refusal(of: request) == .unknown)
        #expect(try scene.refusal(of: clock) == nil)
    }

    @Test func aRotatedKeyCountsFromThenOn() throws {
        let scene = try Scene()
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

/// A key pair of an operator.
private struct KeyPair {
    let scalar: Bytes<32>
    let publicHalf: P256PublicKey

    init() throws {
        let key = try P256PrivateKey(entropy: .system)
        scalar = try key.scalarBytes()
        publicHalf = key.publicKey
    }

    func sign(_ digest: Bytes<32>) throws -> Bytes<64> {
        var key = try P256PrivateKey(scalar: scalar, entropy: .system)
        return try key.sign(digest: digest, entropy: .system)
    }
}
