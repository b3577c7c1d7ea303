import TestSupport
import Testing

/// Tests messages that phones write to the board.
@Suite struct MessageReceivingTests {
    @Test func `HP-C29, HP-C30: a message from a phone is logged, with its encounter if there is one`() throws
    {
        var scene = try Scene()
        scene.run(milliseconds: 1_000)
        let phone = try ScriptedPhone(1)
        phone.readsUs = false
        scene.world.connect(phone)
        for write in ["04 0200 6869", "02 c8ff", "04 0300 627965", "03 baff 0400 10aa10bb", "03 7f00 0000"] {
            try phone.write([UInt8](hex: write))
            scene.run(milliseconds: 500)
        }
        scene.stop()
        let entries = scene.world.medium.entries
        let encounter = try #require(entries.compactMap(\.opened).first?.encounter)
        let messages = entries.compactMap(\.message)
        #expect(messages.map(\.encounter) == [nil, encounter])
        #expect(messages.map { $0.data.span.array.hex } == ["6869", "627965"])
        let shared = entries.compactMap(\.sharedPayloads)
        #expect(shared.map(\.encounter) == [encounter])
        #expect(shared.map(\.rssiDBm) == [-70])
        #expect(shared.map { $0.payloads.span.array.hex } == ["10aa10bb"])
        #expect(entries.compactMap(\.sample).isEmpty, "an RSSI that it writes is not a reading of ours")
    }

    @Test func `a message longer than a log page is dropped, and the next one is logged`() throws {
        var scene = try Scene(in: BoardWorld(blockByteCount: 256))
        scene.run(milliseconds: 1_000)
        let phone = try ScriptedPhone(1)
        phone.readsUs = false
        scene.world.connect(phone)
        let message = [4, 44, 1] + [UInt8](repeating: 7, count: 300)
        for start in stride(from: 0, to: message.count, by: 20) {
            try phone.write(Array(message[start..<min(start + 20, message.count)]))
            scene.run(milliseconds: 100)
        }
        try phone.write([UInt8](hex: "04 0200 6869"))
        scene.run(milliseconds: 500)
        scene.stop()
        let said = scene.world.medium.entries.compactMap(\.message).map { $0.data.span.array.hex }
        #expect(said == ["6869"])
    }

    @Test func `an empty write is answered and otherwise ignored`() throws {
        var scene = try Scene()
        scene.run(milliseconds: 1_000)
        let phone = try ScriptedPhone(1)
        phone.readsUs = false
        scene.world.connect(phone)
        try phone.write([])
        scene.run(milliseconds: 500)
        try phone.write([UInt8](hex: "02 c8ff"))
        scene.run(milliseconds: 500)
        scene.stop()
        #expect(scene.world.medium.entries.compactMap(\.opened).count == 1)
    }

    @Test func `a phone that writes messages without end does not fill the log`() throws {
        var scene = try Scene()
        scene.run(milliseconds: 1_000)
        let phone = try ScriptedPhone(1)
        phone.readsUs = false
        scene.world.connect(phone)
        for _ in 0..<600 {
            try phone.write([UInt8](hex: "04 0200 6869"))
            scene.run(milliseconds: 100)
        }
        scene.stop()
        let count = scene.world.medium.entries.compactMap(\.message).count
        #expect((12...14).contains(count), "ten at once, then one every twenty seconds")
    }

    @Test func `HP-C29: phones that write without end and reconnect do not suppress others' messages`() throws
    {
        var scene = try Scene()
        scene.run(milliseconds: 1_000)
        let writers = try (1...4 as ClosedRange<UInt64>).map { try ScriptedPhone($0) }
        for round in 0..<12 {
            for writer in writers {
                writer.readsUs = false
                if round % 4 == 0, writer.isConnected {
                    writer.hangUp()
                    scene.run(milliseconds: 100)
                }
                if !writer.isConnected { scene.world.connect(writer) }
                scene.run(milliseconds: 100)
                for _ in 0..<5 {
                    try writer.write([UInt8](hex: "04 0200 6869"))
                    scene.run(milliseconds: 50)
                }
            }
        }
        let other = try ScriptedPhone(9)
        other.readsUs = false
        #expect(scene.world.connect(other))
        try other.write([UInt8](hex: "04 0200 6f6b"))
        scene.run(milliseconds: 500)
        scene.stop()
        let said = scene.world.medium.entries.compactMap(\.message).map { $0.data.span.array.hex }
        #expect(said.count { $0 == "6869" } <= 30)
        #expect(said.contains("6f6b"))
    }

    @Test func `HP-C29: a phone over its message limit gains nothing by reconnecting to another slot`() throws
    {
        var scene = try Scene()
        scene.run(milliseconds: 1_000)
        let (other, writer) = (try ScriptedPhone(1), try ScriptedPhone(2))
        for phone in [other, writer] {
            phone.readsUs = false
            scene.world.connect(phone)
            scene.run(milliseconds: 100)
        }
        // The writer had the second slot; from now on it has the first.
        for phone in [other, writer] {
            phone.hangUp()
            scene.run(milliseconds: 100)
        }
        for _ in 0..<3 {
            scene.world.connect(writer)
            scene.run(milliseconds: 100)
            for _ in 0..<10 {
                try writer.write([UInt8](hex: "04 0200 6869"))
                scene.run(milliseconds: 50)
            }
            writer.hangUp()
            scene.run(milliseconds: 100)
        }
        scene.stop()
        #expect(scene.world.medium.entries.compactMap(\.message).count == 10)
    }
}
