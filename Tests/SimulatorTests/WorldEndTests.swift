import HCI
import Simulator
import Testing

/// Worlds that end. Fuzzing makes thousands of them in one process.
@Suite struct WorldEndTests {
    @Test(arguments: [HCITransport.Kind.packets, .stream])
    func `A world that has ended frees its devices, whatever they were doing`(
        _ kind: HCITransport.Kind
    ) throws {
        weak var board: SimulatedController?
        weak var peer: SimulatedController?
        try inWorld { world in
            var profile = ControllerProfile()
            let host = ControllerHost(profile, over: kind, named: "board", in: world)
            profile.publicAddress = DeviceAddress(value: 1, isRandom: false)
            let other = ControllerHost(profile, over: kind, at: Position(1, 0), named: "peer", in: world)
            host.send(.leSetAdvertisingEnable, [1])
            host.run(for: .seconds(1))
            host.send(.setEventMask, [UInt8](repeating: 0xff, count: 7) + [0x3f])
            let address = try #require(host.controller.advertisement?.address)
            let bytes = (0..<6).map { UInt8(truncatingIfNeeded: address.value >> UInt64(8 * $0)) }
            let head: [UInt8] = [0x10, 0, 0x10, 0, 0, address.addressType]
            other.send(.leCreateConnection, head + bytes + [0, 6, 0, 6, 0, 0, 0, 100, 0, 0, 0, 0, 0])
            other.run(for: .seconds(5))
            #expect(other.controller.links.count == 1)
            other.send(.leSetScanEnable, [1, 0])
            other.run(for: .seconds(1))
            (board, peer) = (host.controller, other.controller)
        }
        #expect(board == nil && peer == nil)
    }

    private func inWorld(_ body: (World) throws -> Void) rethrows {
        let world = World(seed: 1)
        defer { world.end() }
        try body(world)
    }
}
