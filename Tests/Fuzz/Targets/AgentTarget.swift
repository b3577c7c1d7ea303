import Simulator

/// The input is the kind of the board (1, ``FuzzBoard``), the habits of its controller (1), and then a list
/// of actions of the controller, the medium, the line, a phone and time (see ``perform(_:_:_:)``).
///
/// The agent's board, controller, air and medium are those of `make sim`. They work unless an action
/// prevents it. After each action a quarter of a millisecond passes, in which the agent and its controller
/// exchange a packet or two.
enum AgentTarget {
    static func run(_ input: [UInt8]) throws(FuzzFinding) {
        var script = Script(input)
        let world = FuzzWorld(FuzzBoard(rawValue: script.byte()), habits: script.byte())
        if let failure = world.board.startFailure { throw FuzzFinding(description: "no agent: \(failure)") }
        var actions = 0
        while !script.isAtEnd, actions < 400, world.mayStartAgain {
            actions += 1
            perform(script.byte() & 31, &script, world)
            world.runForAMoment()
            if let violation = world.violation { throw FuzzFinding(description: violation) }
        }
        try require(world.stop(), "an agent that is asked to ends")
        if let violation = world.violation { throw FuzzFinding(description: violation) }
        try world.flash.check()
    }

    private static func perform(_ action: UInt8, _ script: inout Script, _ world: FuzzWorld) {
        switch action {
        case 0: world.world.run(for: .milliseconds(1))
        case 1: world.refuseNext(script.byte())
        case 2: world.inject(script.chunk())
        case 3: world.event(script.byte(), script.chunk())
        case 4, 5: report(&script, world)
        case 6: connect(&script, world)
        case 7: world.data(script.byte() & 7, 0x20, frame(&script))
        case 8: world.data(script.byte(), script.byte(), script.chunk())
        case 9: world.event(0x05, [0, script.byte(), 0, 0x13])
        case 10: world.event(0x13, [1, script.byte(), 0, script.byte(), 0])
        case 11: world.board.suspend(for: .milliseconds(UInt64(script.byte()) * UInt64(script.byte())))
        case 12: world.world.run(for: .milliseconds(20))
        case 13: world.send(script.chunk())
        case 14: world.toggleAdapter()
        case 15: world.board.suspend(for: .milliseconds(100))
        case 16: world.world.run(for: .milliseconds(UInt64(script.byte()) * 4))
        case 17: world.board.line.send(script.chunk())
        case 18: world.setLineFaults(script.byte())
        case 19: world.react(script.byte(), returning: script.chunk())
        case 20: world.toggleFault(script.byte())
        case 21: world.flash.set(FuzzFlash.Faults(rawValue: script.byte()))
        case 22: world.flash.flip(script.word(), script.byte())
        case 23: world.cutPower(script.byte(), script.byte())
        case 24: world.board.killAgent()
        case 25: world.setStore(script.byte())
        case 26: world.phone.advertise(advert(script.byte(), &script))
        case 27: world.phone.connect()
        case 28: world.phone.send(frame(&script), isFirst: true)
        case 29: world.phone.send(Array(script.chunk().prefix(251)), isFirst: script.byte() & 1 == 0)
        case 30: world.phone.disconnect()
        default: world.phone.togglePresence()
        }
    }

    private static let adverts: [[UInt8]] = [
        [2, 1, 0x1a, 3, 3, 0xf6, 0xfc, 2, 10, 12],
        [20, 0xff, 0x4c, 0, 1] + Array(repeating: 0x20, count: 16),
        [],
    ]

    /// Returns one of the prepared adverts, or the bytes that follow.
    private static func advert(_ choice: UInt8, _ script: inout Script) -> [UInt8] {
        let index = Int(choice >> 4)
        return index < adverts.count ? adverts[index] : Array(script.chunk().prefix(31))
    }

    /// Sends one event with reports: their number (1), then the kind and advert (1), sender (1) and RSSI (1)
    /// of each. If 128 is added to the number, the event is one of the extended scan commands.
    private static func report(_ script: inout Script, _ world: FuzzWorld) {
        let first = script.byte()
        let isExtended = first & 0x80 != 0
        let count = min(6, first & 0x7f)
        var parameters: [UInt8] = [isExtended ? 13 : 2, count]
        for _ in 0..<count {
            let choice = script.byte()
            let sender: [UInt8] = [script.byte(), 0, 0, 0, 0, 0xc0]
            let advert = advert(choice, &script)
            let rssi = script.byte()
            if isExtended {
                // These are the event types of legacy adverts, and one of an advert whose data comes in two
                // parts.
                let type: UInt8 = [0x13, 0x15, 0x12, 0x10, 0x1b, 0x20, 0x00, 0x01][Int(choice & 7)]
                parameters += [type, 0, 1] + sender + [1, 0, 0xff, 127, rssi, 0, 0, 0]
                parameters += [0, 0, 0, 0, 0, 0, UInt8(advert.count)] + advert
            } else {
                parameters += [choice & 7, 1] + sender + [UInt8(advert.count)] + advert + [rssi]
            }
        }
        world.event(0x3e, parameters)
    }

    /// Reports a link that the controller does not have.
    private static func connect(_ script: inout Script, _ world: FuzzWorld) {
        let choice = script.byte()
        let status: UInt8 = choice & 0x80 == 0 ? 0 : 2
        let peer: [UInt8] = [script.byte(), 0, 0, 0, 0, 0xc0]
        world.event(0x3e, [1, status, choice & 7, 0, choice >> 3 & 1, 1] + peer + [24, 0, 0, 0, 0xf4, 1, 0])
    }

    /// Reads an ATT PDU: length (1), then the bytes. Returns it as an L2CAP frame.
    private static func frame(_ script: inout Script) -> [UInt8] {
        let pdu = script.chunk().prefix(247)
        return [UInt8(pdu.count), 0, 4, 0] + pdu
    }
}
