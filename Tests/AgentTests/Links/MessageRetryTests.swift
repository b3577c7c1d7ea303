import DeviceSync
import FixedMemory
import TestSupport
import Testing

/// Tests what becomes of messages that cannot be delivered at once.
@Suite struct MessageRetryTests {
    private let hello = Array("hello".utf8)

    @Test func `a message that arrives while the radio is down waits, and asks for no steps of the agent`()
        throws
    {
        let phone = try ScriptedPhone(1)
        var scene = try settledScene([phone])
        scene.controller.faults.begin(.vanishedAdapter)
        scene.run { $0.hasHardFault }
        scene.run(milliseconds: 1_000)
        _ = try scene.send(hello, to: phone.asRecipient)
        scene.settle()
        let count = scene.world.board.stepCount
        scene.run(milliseconds: 200)
        #expect(scene.world.board.stepCount - count < 20)
    }

    @Test func `a message to a phone that refuses it is given up after three attempts`() throws {
        let phone = try ScriptedPhone(1)
        var scene = try settledScene([phone])
        phone.refusesWrites = true
        _ = try scene.send(hello, to: phone.asRecipient)
        scene.run(milliseconds: 60_000)
        #expect(phone.writes.count == 3)
        let report = try scene.report()
        #expect(report.failedCount == 1 && report.waitingCount == 0)
    }

    @Test func `a message to a phone out of reach is given up after five minutes`() throws {
        let phone = try ScriptedPhone(1)
        var scene = try settledScene([phone])
        phone.isAway = true
        scene.run(milliseconds: 20_000)
        #expect(try scene.send(hello).queuedCount == 1)
        scene.run(milliseconds: 200_000)
        #expect(try scene.report().waitingCount == 1)
        scene.run(milliseconds: 110_000)
        #expect(try scene.report().failedCount == 1)
        #expect(scene.controller.commands.filter { $0 == .leCreateConnection }.count == 1)
    }

    @Test func `a message outlives a reset of the controller`() throws {
        let phone = try ScriptedPhone(1)
        var scene = try settledScene([phone])
        phone.accepts = false
        _ = try scene.send(hello, to: phone.asRecipient)
        scene.run(milliseconds: 500)
        scene.controller.injectEvent(0x10, [1])
        scene.run(milliseconds: 3_000)
        phone.accepts = true
        scene.run(milliseconds: 30_000)
        #expect(phone.messages == [.immediate(hello)])
    }

    @Test func `a message follows a phone to its next address`() throws {
        let phone = try ScriptedPhone(1, payload: [0x10, 5, 5])
        var scene = try settledScene([phone])
        phone.isAway = true
        scene.run(milliseconds: 5_000)
        _ = try scene.send(hello, to: phone.asRecipient)
        let next = try ScriptedPhone(2, payload: [0x10, 5, 5])
        scene.phones = [next]
        scene.run(milliseconds: 20_000)
        #expect(next.messages == [.immediate(hello)])
    }

    // The phones advertise rarely, so the next choice is due as soon as a link opens.
    @Test func `recipients that share one link slot do not evict each other's links`() throws {
        let phones = try (0..<3 as Range<UInt64>).map { try ScriptedPhone($0) }
        var scene = try settledScene(phones, ["encounters.links=1"])
        for phone in phones { phone.every = 700 }
        let linkCount = phones.reduce(0) { $0 + $1.linkCount }
        _ = try scene.send(hello)
        scene.run(milliseconds: 20_000)
        #expect(phones.allSatisfy { $0.messages == [.immediate(hello)] })
        #expect(phones.reduce(0) { $0 + $1.linkCount } == linkCount + 3)
    }

    // The recipients answer nothing, so the message waits for five minutes and has the slot most of the time.
    @Test func `a phone that connects while a message waits has the time to read the board`() throws {
        let silent = try (0..<2 as Range<UInt64>).map { try ScriptedPhone($0) }
        var scene = try settledScene(silent, ["encounters.links=1"])
        let reader = try ScriptedPhone(9)
        for phone in silent { phone.isMute = true }
        _ = try scene.send(hello)
        scene.run(milliseconds: 10_000)
        scene.world.connectWhenAdvertised(reader)
        scene.run(milliseconds: 20_000)
        #expect(reader.linkCount == 1)
        #expect(reader.payloadRead != nil)
        let attemptCount = silent.reduce(0) { $0 + $1.linkCount }
        scene.run(milliseconds: 20_000)
        #expect(silent.reduce(0) { $0 + $1.linkCount } > attemptCount)
    }
}
