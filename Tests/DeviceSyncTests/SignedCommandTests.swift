import Cryptography
import DeviceSync
import FixedMemory
import TestSupport
import Testing

/// Authorisation on a board with an operator key.
@Suite struct SignedCommandTests {
    private let clock: SMPPacket
    private let message: SMPPacket

    init() throws {
        clock = try SyncRequest.setClock(1_800_000_000_000, errorMilliseconds: 20, sequence: 1)
        message = try SyncRequest.send(
            MessageRequest(
                number: 5, recipients: .all, data: FixedBuffer<509>([1, 2].span) ?? FixedBuffer()),
            sequence: 1)
    }

    @Test func `a command without a signature changes nothing`() throws {
        let scene = try SignedCommandScene()
        let dateTime = try SyncRequest.writeDateTime(1_800_000_000_000, sequence: 2)
        let keys = try SyncRequest.setKeys(
            ownerKey: nil, operatorKey: P256PrivateKey(entropy: .system).publicKey, sequence: 3)
        let later = [6, 7, 8, 10].map {
            SMPPacket(SMPHeader(.write, SMPCommand(group: 64, command: $0), sequence: 4))
        }
        for packet in [clock, message, dateTime, keys] + later {
            #expect(try scene.refusal(of: packet) == .accessDenied, "command \(packet.header.command)")
        }
        #expect(scene.store.wallClock == nil)
    }

    @Test func `commands that change nothing need no signature`() throws {
        let scene = try SignedCommandScene()
        for packet in [
            SyncRequest.parameters(sequence: 1), try SyncRequest.echo([UInt8(0x61)].span, sequence: 2),
            SyncRequest.boardStatus(sequence: 3), SyncRequest.keys(sequence: 4),
            SyncRequest.nonce(sequence: 5),
        ] {
            #expect(try scene.refusal(of: packet) == nil, "command \(packet.header.command)")
        }
    }

    @Test func `a command with the operator's signature is carried out`() throws {
        let scene = try SignedCommandScene()
        let nonce = try scene.nonce()
        let envelope = try scene.envelope(clock, nonce: nonce)
        #expect(try scene.refusal(of: envelope) == nil)
        #expect(scene.store.wallClock == 1_800_000_000_000)
        #expect(scene.stepCount > 0)
    }

    @Test func `a setting arrives unchanged, and a refusal has a reason`() throws {
        let scene = try SignedCommandScene()
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

    @Test func `the longest record of secrets fits one envelope, and a refusal has a reason`() throws {
        let scene = try SignedCommandScene()
        // A record of eight weeks of day keys has this length (Schemes/DayKeys).
        let record = (0..<1_813).map { UInt8(truncatingIfNeeded: $0) }
        let sealed = try scene.sealed(record)
        let request = try SyncRequest.storeSecrets(sealed.span, sequence: 1)
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

    @Test func `an empty setting is malformed`() throws {
        let scene = try SignedCommandScene(isProvisioned: false)
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

    @Test func `the answer is that of the command in the envelope`() throws {
        let scene = try SignedCommandScene()
        let nonce = try scene.nonce()
        let envelope = try scene.envelope(message, nonce: nonce)
        let answer = try scene.ask(envelope)
        let response = try SyncResponse(answer.span, to: envelope)
        let report = try response.messageReport()
        #expect(report.number == 5)
        #expect(report.queuedCount == 1)
    }

    @Test func `a nonce is valid once`() throws {
        let scene = try SignedCommandScene()
        let nonce = try scene.nonce()
        let envelope = try scene.envelope(clock, nonce: nonce)
        #expect(try scene.refusal(of: envelope) == nil)
        #expect(try scene.refusal(of: envelope) == .nonceUnknown)
    }

    @Test func `a nonce is void after the next one was requested`() throws {
        let scene = try SignedCommandScene()
        let nonce = try scene.nonce()
        let envelope = try scene.envelope(clock, nonce: nonce)
        _ = try scene.nonce()
        #expect(try scene.refusal(of: envelope) == .notSigned)
    }

    @Test func `a nonce is void after half a minute`() throws {
        let scene = try SignedCommandScene()
        let young = try scene.envelope(clock, nonce: scene.nonce())
        scene.store.status.instant += .seconds(30)
        #expect(try scene.refusal(of: young) == nil)
        let old = try scene.envelope(clock, nonce: scene.nonce())
        scene.store.status.instant += .milliseconds(30_001)
        #expect(try scene.refusal(of: old) == .nonceUnknown)
    }

    @Test func `a nonce is void in another session`() throws {
        let scene = try SignedCommandScene()
        let envelope = try scene.envelope(clock, nonce: scene.nonce())
        scene.server.forgetNonce()
        #expect(try scene.refusal(of: envelope) == .nonceUnknown)
    }

    @Test func `a signed time is not for a moment before its nonce`() throws {
        let scene = try SignedCommandScene()
        scene.store.status.instant = .start + .hours(5)
        for (milliseconds, refusal) in [
            (5 * 3_600_000 - 1, .invalidValue), (5 * 3_600_000 + 20, nil),
        ] as [(UInt64, SMPRefusal?)] {
            let nonce = try scene.nonce()
            let setting = WallClockSetting(
                time: 1_800_000_000_000, errorMilliseconds: 20,
                moment: BoardMoment(
                    bootIdentifier: scene.store.status.bootIdentifier,
                    instant: Instant(milliseconds: milliseconds)))
            let request = try SyncRequest.setClock(setting, sequence: 1)
            let envelope = try scene.envelope(request, nonce: nonce)
            scene.store.status.instant += .milliseconds(100)
            #expect(try scene.refusal(of: envelope) == refusal)
            scene.store.status.instant = .start + .hours(5)
        }
    }

    @Test func `a wrong signature uses up the nonce`() throws {
        let scene = try SignedCommandScene()
        let nonce = try scene.nonce()
        let right = try scene.envelope(clock, nonce: nonce)
        let forged = try SyncRequest.signed(clock, signature: Bytes<64>(), sequence: 1)
        #expect(try scene.refusal(of: forged) == .notSigned)
        #expect(try scene.refusal(of: right) == .nonceUnknown)
        #expect(scene.store.wallClock == nil)
    }

    @Test func `a command signed for another board is refused`() throws {
        let scene = try SignedCommandScene()
        let nonce = try scene.nonce()
        let envelope = try scene.envelope(clock, nonce: nonce)
        scene.store.status.logIdentity = Bytes<16>()
        #expect(try scene.refusal(of: envelope) == .notSigned)
    }

    @Test func `a changed command is refused`() throws {
        let scene = try SignedCommandScene()
        let nonce = try scene.nonce()
        let bytes = array(try scene.envelope(clock, nonce: nonce).span)
        // This byte lies in the middle of the command in the envelope.
        var changed = bytes
        changed[30] ^= 1
        let line = try line(changed)
        scene.receive(line)
        while scene.server.hasWork { scene.step() }
        #expect(scene.store.wallClock == nil)
    }

    @Test func `an envelope holds one command that needs a signature and no other`() throws {
        let scene = try SignedCommandScene()
        for inner in [
            SyncRequest.boardStatus(sequence: 1),
            try SyncRequest.signed(clock, signature: Bytes(), sequence: 1),
        ] {
            let nonce = try scene.nonce()
            let envelope = try scene.envelope(inner, nonce: nonce)
            #expect(try scene.refusal(of: envelope) != nil)
        }
    }

    @Test func `a request in the meantime replaces the envelope`() throws {
        let scene = try SignedCommandScene()
        let nonce = try scene.nonce()
        let envelope = try line(scene.envelope(clock, nonce: nonce))
        scene.receive(envelope)
        #expect(scene.hasWork)
        #expect(try scene.refusal(of: SyncRequest.parameters(sequence: 8)) == nil)
        #expect(!scene.hasWork)
        #expect(scene.store.wallClock == nil)
    }
}
