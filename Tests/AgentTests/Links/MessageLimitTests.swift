import DeviceSync
import FixedMemory
import Testing

/// Tests how many messages the board accepts, and how many recipients each has.
@Suite struct MessageLimitTests {
    private let hello = Array("hello".utf8)

    @Test func `a repeated request is answered again, but its message is sent once`() throws {
        let phone = try ScriptedPhone(1)
        var scene = try settledScene([phone])
        _ = try scene.send(hello, to: phone.asRecipient, number: 5)
        _ = try scene.send(hello, to: phone.asRecipient, number: 5)
        scene.run(milliseconds: 10_000)
        #expect(try scene.send(hello, to: phone.asRecipient, number: 5).deliveredCount == 1)
        scene.run(milliseconds: 10_000)
        #expect(phone.messages.count == 1)
    }

    @Test func `a message to an absent or unknown recipient is refused`() throws {
        let phone = try ScriptedPhone(1)
        var scene = try settledScene([phone])
        let stranger = try ScriptedPhone(2)
        #expect(throws: SyncResponseError.refused(.messageNobodyThere)) {
            try scene.send(hello, to: stranger.asRecipient)
        }
        let unknown = FixedBuffer<512>([1, 2, 3].span) ?? FixedBuffer()
        #expect(throws: SyncResponseError.refused(.messageNobodyThere)) {
            try scene.send(hello, to: .identity(unknown))
        }
        #expect(throws: SyncResponseError.refused(.messageUnknown)) { try scene.report(99) }
        scene.phones = []
        scene.run(milliseconds: 61_000)
        #expect(throws: SyncResponseError.refused(.messageNobodyThere)) {
            try scene.send(hello, to: phone.asRecipient)
        }
        #expect(try scene.send(hello).queuedCount == 0)
    }

    @Test func `a ninth message is refused while eight are pending`() throws {
        let phone = try ScriptedPhone(1)
        var scene = try settledScene([phone])
        phone.isAway = true
        scene.run(milliseconds: 5_000)
        for number in 1...8 as ClosedRange<UInt32> { _ = try scene.send(hello, number: number) }
        #expect(throws: SyncResponseError.refused(.messageQueueFull)) { try scene.send(hello, number: 9) }
        phone.isAway = false
        scene.run(milliseconds: 60_000)
        #expect(phone.messages.count == 8)
        #expect(try scene.send(hello, number: 9).queuedCount == 1)
        #expect(throws: SyncResponseError.refused(.messageUnknown)) { try scene.report(1) }
        #expect(try scene.report(8).deliveredCount == 1)
    }

    @Test func `a message to a crowd reports the phones that it leaves out`() throws {
        let phones = try (0..<300 as Range<UInt64>).map { number in
            let phone = try ScriptedPhone(number)
            phone.accepts = false
            phone.every = 1_000
            return phone
        }
        var scene = try Scene()
        scene.phones = phones
        scene.run(milliseconds: 10_000)
        let report = try scene.send(hello)
        #expect(report.queuedCount == 256 && report.leftOutCount == 44)
        #expect(throws: SyncResponseError.refused(.messageQueueFull)) { try scene.send(hello, number: 2) }
    }

    @Test func `HP-C24: a message to 60 phones that do not answer leaves time to scan`() throws {
        let phones = try (0..<60 as Range<UInt64>).map { number in
            let phone = try ScriptedPhone(number)
            phone.accepts = false
            return phone
        }
        var scene = try Scene()
        scene.phones = phones
        scene.run(milliseconds: 5_000)
        #expect(try scene.send(hello).queuedCount == 60)
        var (scanned, pause, longestPause) = (0, 0, 0)
        for _ in 0..<600 {
            scene.run(milliseconds: 100)
            pause = scene.controller.isScanning ? 0 : pause + 100
            longestPause = max(longestPause, pause)
            if scene.controller.isScanning { scanned += 1 }
        }
        #expect(longestPause < 8_000)
        #expect(scanned > 280)
    }
}
