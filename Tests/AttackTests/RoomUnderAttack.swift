import EncounterLog
import FixedMemory
import HCI
import Testing

@testable import Simulator

/// A board, a phone that it should record, and a device of an attacker beside them.
struct RoomUnderAttack {
    let world: World
    let board: SimulatedBoard
    let victim: SimulatedPhone
    let attacker: HostilePhone
    /// The identity that the attacker would give the victim.
    let foreign: [UInt8] = [0x10, 0x3a, 0x03, 0, 0, 16, 0] + [UInt8](repeating: 0x5a, count: 16)

    init(_ kind: PhoneKind = .android, at distance: Double = 6) {
        world = World(seed: 23)
        var setup = BoardSetup()
        setup.segmentCount = 64
        board = SimulatedBoard("board", setup, in: world)
        victim = SimulatedPhone("victim", kind, at: Route(standingAt: Position(distance, 0)), in: world)
        attacker = HostilePhone("attacker", at: Route(standingAt: Position(1, 1)), in: world)
        board.powerOn()
    }

    func run(seconds: UInt64) { world.run(for: .seconds(seconds)) }

    /// Connects under the victim's address, and writes.
    func writeAsVictim(_ signals: HostilePhone.Signal...) {
        attacker.plan(HostilePhone.Visit(as: victim.address, writing: signals))
    }

    /// Stops the agent, and returns the entries of its log.
    func entries() -> [LogEntry] {
        board.stop()
        world.run(for: .seconds(3))
        return BoardLog(of: board).pages(of: board).flatMap(\.entries)
    }
}

extension [LogEntry] {
    /// The encounters that were opened under an address.
    func encounters(at address: DeviceAddress) -> [EncounterOpenedEntry] {
        compactMap { entry in
            guard case .encounterOpened(let body) = entry, body.deviceAddress == address else { return nil }
            return body
        }
    }

    /// The identities of an encounter, and whether each is marked as written.
    func identities(of encounter: UInt32) -> [(bytes: [UInt8], isWritten: Bool)] {
        compactMap { entry in
            guard case .encounterIdentified(let body) = entry, body.encounter == encounter else { return nil }
            return ([UInt8](body.identity.span), body.marks.contains(.written))
        }
    }

    func samples(of encounter: UInt32) -> [SampleEntry] {
        compactMap { entry in
            guard case .sample(let body) = entry, body.encounter == encounter else { return nil }
            return body
        }
    }

    func closing(of encounter: UInt32) -> EncounterClosedEntry? {
        lazy.compactMap { entry in
            guard case .encounterClosed(let body) = entry, body.encounter == encounter else { return nil }
            return body
        }.last
    }

    /// The reports that coverage counts.
    var coveredReports: UInt64 {
        reduce(0) { sum, entry in
            guard case .coverage(let body) = entry else { return sum }
            return sum + UInt64(body.reports)
        }
    }
}
