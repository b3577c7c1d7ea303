import HCI
import Simulator
import Testing

/// The propagation between two stationary devices.
@Suite struct PropagationTests {
    /// The RSSI readings of one beacon, four per second, in ten minutes.
    private func readings(_ change: (inout Propagation) -> Void) throws -> [Int8] {
        let world = World(seed: 4)
        change(&world.air.propagation)
        let host = ControllerHost(in: world)
        let beacon = Station("beacon", at: Route(standingAt: Position(2, 0)), in: world)
        beacon.advertise(
            Advertisement(
                address: .staticRandom(seed: 1), kind: .nonConnectable, data: [2, 1, 6]),
            every: .milliseconds(250))
        // All events are unmasked, and the scan is passive and continuous.
        let commands: [(OpCode, [UInt8])] = [
            (.setEventMask, [UInt8](repeating: 0xff, count: 8)),
            (.leSetEventMask, [UInt8](repeating: 0xff, count: 8)),
            (.leSetScanParameters, [0, 0x60, 0, 0x60, 0, 0, 0]), (.leSetScanEnable, [1, 0]),
        ]
        for (opCode, parameters) in commands { #expect(host.perform(opCode, parameters) == .success) }
        for _ in 0..<600 { host.run(for: .seconds(1)) }
        return host.answers.filter { $0.bytes.count > 12 && $0.bytes[1] == 0x3e && $0.bytes[3] == 2 }
            .map { Int8(bitPattern: $0.bytes[$0.bytes.count - 1]) }
    }

    @Test func `a person between the devices weakens the signal by 10 dB for two seconds a minute`()
        throws
    {
        let calm = try readings { _ in }
        let stood = try readings { $0.bodyFadeDB = 10 }
        #expect(Set(calm).count == 1)
        let loud = try #require(calm.first)
        #expect(Set(stood) == [loud, loud - 10])
        let faded = Double(stood.count { $0 == loud - 10 }) / Double(stood.count)
        #expect((0.5 / 30...2.0 / 30).contains(faded), "\(faded) of the time")
    }
}
