import Agent
import DeviceSync
import EncounterLog
import FixedMemory
import TestSupport

/// The input is a list of actions of the controller, of phones and of time (see ``perform(_:_:_:)``). The
/// upper half of the first byte selects the agent's configuration (``FuzzAgent``). The agent is brought up
/// first, unless that byte is 255; then the agent is a plain beacon.
enum AgentTarget {
    static func run(_ input: [UInt8]) throws(FuzzFinding) {
        let first = input.first ?? 0
        let kind = FuzzAgent(rawValue: first == 255 ? 0 : first >> 4)
        guard let world = FuzzWorld(), var agent = kind.make(world) else {
            throw FuzzFinding(description: "no agent of kind \(kind.rawValue)")
        }
        var script = Script(input)
        if input.first != 255 { behave(&agent, world) }
        var deeds = 0
        while !script.isAtEnd, deeds < 400 {
            deeds += 1
            let deed = script.byte() & 15
            if deed == 12 { behave(&agent, world) } else { perform(deed, &script, world) }
            for _ in 0..<3 {
                guard let next = agent.step() else { return try checkLog(world) }
                if next > world.now, world.toHost.isEmpty { break }
            }
            if let violation = world.violation { throw FuzzFinding(description: violation) }
        }
        world.isStopRequested = true
        try require(agent.step() == nil, "an agent that is asked to ends")
        try checkLog(world)
    }

    /// Answers the next commands as a working controller does.
    private static func behave(_ agent: inout Agent<FuzzPlatform>, _ world: FuzzWorld) {
        for _ in 0..<24 {
            guard agent.step() != nil else { return }
            if world.pending == nil, world.toHost.isEmpty { return }
            world.answer()
        }
    }

    private static func perform(_ deed: UInt8, _ script: inout Script, _ world: FuzzWorld) {
        switch deed {
        case 0: world.answer()
        case 1: world.answer(status: script.byte())
        case 2:
            let packet = script.chunk()
            world.hasForgedAnswers = true
            world.toHost.append(packet)
        case 3: world.event(script.byte(), script.chunk())
        case 4, 5: report(&script, world)
        case 6: connect(&script, world)
        case 7: sendPDU(&script, world)
        case 8:
            let (handle, flags) = (script.byte(), script.byte())
            let data = script.chunk()
            world.toHost.append([2, handle, flags, UInt8(data.count), 0] + data)
        case 9: world.event(0x05, [0, script.byte(), 0, 0x13])
        case 10: world.event(0x13, [1, script.byte(), 0, script.byte(), 0])
        case 11: world.now += .milliseconds(UInt64(script.byte()) * UInt64(script.byte()))
        case 13:
            let packet = script.chunk()
            var frame = FixedBuffer<4096>()
            try? SerialFrameEncoder.encode(packet.span, into: &frame)
            world.toBoard += frame.span.array
        case 14: world.isTransportBroken.toggle()
        default: world.now += 100
        }
    }

    private static let adverts: [[UInt8]] = [
        [2, 1, 0x1a, 3, 3, 0xf6, 0xfc, 2, 10, 12],
        [20, 0xff, 0x4c, 0, 1] + Array(repeating: 0x20, count: 16),
        [],
    ]

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
            let index = Int(choice >> 4)
            let advert = index < adverts.count ? adverts[index] : Array(script.chunk().prefix(31))
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

    private static func connect(_ script: inout Script, _ world: FuzzWorld) {
        let choice = script.byte()
        let status: UInt8 = choice & 0x80 == 0 ? 0 : 2
        let peer: [UInt8] = [script.byte(), 0, 0, 0, 0, 0xc0]
        world.event(0x3e, [1, status, choice & 7, 0, choice >> 3 & 1, 1] + peer + [24, 0, 0, 0, 0xf4, 1, 0])
    }

    /// Sends one whole ATT PDU on a link: handle (1), length (1), then the bytes.
    private static func sendPDU(_ script: inout Script, _ world: FuzzWorld) {
        let handle = script.byte() & 7
        let pdu = script.chunk().prefix(250)
        let frame = [UInt8(pdu.count), 0, 4, 0] + pdu
        world.toHost.append([2, handle, 0x20, UInt8(frame.count), 0] + frame)
    }

    /// The entries of the log must be consistent after any input.
    private static func checkLog(_ world: FuzzWorld) throws(FuzzFinding) {
        let pages = ReadPages.pages(
            ofMedium: world.flash, geometry: world.geometry, keys: FuzzAgent.ownerKeyPair.map { [$0] } ?? [])
        var coveredUntil = Instant.start
        var opened: Set<UInt32> = []
        // The first segments may have been overwritten.
        let isWhole = pages.first?.position == .start
        for entry in pages.flatMap(\.entries) {
            switch entry {
            case .encounterOpened(let entry):
                try require(opened.insert(entry.encounter).inserted, "an encounter opens once")
            case .encounterClosed(let entry) where isWhole:
                try require(opened.contains(entry.encounter), "an encounter opens before it closes")
            case .sample(let entry):
                try require(!isWhole || opened.contains(entry.encounter), "a sample belongs to an encounter")
                try require(entry.start <= entry.end, "a sample begins before it ends")
                try require(entry.readings > 0, "a sample has readings")
                try require(entry.minimumRSSIDBm <= entry.maximumRSSIDBm, "least and most of a sample")
            case .coverage(let entry):
                try require(entry.start <= entry.end, "coverage begins before it ends")
                try require(entry.start >= coveredUntil, "coverage does not overlap")
                coveredUntil = entry.end
            default: break
            }
        }
    }
}
