import HCI
import Testing

@testable import Simulator

/// The effect of each fault on a host, and its cure.
@Suite struct FaultTests {
    /// A controller that scans and advertises near two devices, one of which has a scan response.
    private func makeHost(over kind: HCITransport.Kind = .packets) -> ControllerHost {
        let world = World(seed: 1)
        let host = ControllerHost(over: kind, in: world)
        for number in 0..<2 {
            let station = Station("\(number)", at: Route(standingAt: Position(1, Double(number))), in: world)
            station.advertise(
                Advertisement(
                    address: .staticRandom(seed: UInt64(number) + 5), data: [2, 1, 6],
                    scanResponse: number == 0 ? [3, 9, 65, 66] : []),
                every: .milliseconds(100))
        }
        bringUp(host)
        return host
    }

    private func bringUp(_ host: ControllerHost) {
        #expect(host.perform(.reset) == .success)
        setUp(host)
    }

    private func setUp(_ host: ControllerHost) {
        _ = host.perform(.setEventMask, [0x10, 0x80, 0, 2, 0, 0, 0, 0x20])
        _ = host.perform(.leSetEventMask, [0x17, 0, 0, 0, 0, 0, 0, 0])
        _ = host.perform(.leSetRandomAddress, [1, 2, 3, 4, 5, 0xc6])
        startScan(host)
    }

    private func startScan(_ host: ControllerHost) {
        _ = host.perform(.leSetScanEnable, [0, 0])
        _ = host.perform(.leSetScanParameters, [0, 0x60, 0, 0x60, 0, 1, 0])
        _ = host.perform(.leSetScanEnable, [1, 0])
    }

    private func reports(_ host: ControllerHost, _ duration: SimulatedDuration = .seconds(1)) -> [[UInt8]] {
        host.run(for: duration).filter { $0.starts(with: [4, 0x3e]) && $0[3] == 2 }
    }

    @Test func `without faults the host receives every advert in range`() {
        let host = makeHost()
        let reports = reports(host)
        #expect((15...22).contains(reports.count))
        // The devices are at 1 m and at √2 m.
        let strengths = Set([-55, -58].map { UInt8(bitPattern: $0) })
        #expect(reports.allSatisfy { $0[13] == 3 && $0.count == 18 })
        #expect(Set(reports.compactMap(\.last)) == strengths)
        #expect(host.controller.violations == [])
    }

    @Test func `a fault remembers which other faults were present when it began`() {
        let host = makeHost()
        let faults = host.controller.faults
        faults.begin(.hardwareError)
        _ = host.run(for: .seconds(1))
        faults.begin(.corruptedStream)
        #expect(!faults.has(.hardwareError, begunDuring: .corruptedStream))
        #expect(faults.has(.corruptedStream, begunDuring: .hardwareError))
        faults.end(.corruptedStream)
        #expect(!faults.has(.corruptedStream, begunDuring: .hardwareError))
    }

    @Test func `silence leaves answers and ends with a restart of the scan`() {
        let host = makeHost()
        host.controller.faults.begin(.silence)
        #expect(reports(host).isEmpty)
        #expect(host.perform(.readLocalVersion) == .success)
        startScan(host)
        #expect(reports(host).isEmpty)
        host.controller.faults.end(.silence)
        #expect(reports(host).isEmpty)
        startScan(host)
        #expect(!reports(host).isEmpty)
    }

    @Test(arguments: [FaultCure.rolesRestart, .reset])
    func `silence may need more than a restart of the scan`(cure: FaultCure) {
        let host = makeHost()
        host.controller.faults.begin(.silence, cure: cure)
        host.controller.faults.end(.silence)
        if cure == .reset {
            startScan(host)
            #expect(reports(host).isEmpty)
            bringUp(host)
        } else {
            startScan(host)
        }
        #expect(!reports(host).isEmpty)
    }

    @Test func `commands time out until the power is cycled`() {
        let host = makeHost()
        host.controller.faults.begin(.commandTimeout)
        #expect(host.perform(.readLocalVersion) == nil)
        #expect(!reports(host).isEmpty)
        host.controller.faults.end(.commandTimeout)
        #expect(host.perform(.reset) == nil)
        #expect(host.reopen())
        #expect(host.perform(.reset) == nil)
        host.controller.switchPower(false)
        host.controller.switchPower(true)
        #expect(host.reopen())
        #expect(host.perform(.reset) == .success)
    }

    @Test func `a hardware error leaves only the reset command`() {
        let host = makeHost()
        host.controller.faults.begin(.hardwareError)
        #expect(host.run(for: .seconds(1)).contains { $0.starts(with: [4, 0x10, 1]) })
        #expect(host.perform(.leSetScanEnable, [1, 0]) == .commandDisallowed)
        host.controller.faults.end(.hardwareError)
        bringUp(host)
        #expect(!reports(host).isEmpty)
    }

    @Test func `a vanished adapter cannot be opened`() {
        let host = makeHost()
        host.controller.faults.begin(.vanishedAdapter)
        #expect(!host.controller.transport.isOpen)
        #expect(!host.reopen())
        host.controller.faults.end(.vanishedAdapter)
        #expect(host.reopen())
        bringUp(host)
        #expect(!reports(host).isEmpty)
    }

    @Test func `empty reports have no data`() {
        let host = makeHost()
        host.controller.faults.begin(.emptyReports)
        let reports = reports(host)
        #expect(!reports.isEmpty && reports.allSatisfy { $0[13] == 0 })
    }

    @Test func `the duplicate filter passes each address once`() {
        let host = makeHost()
        host.controller.faults.begin(.duplicateFilter)
        let first = reports(host)
        #expect(first.count == 2 && Set(first.map { $0[7..<13] }).count == 2)
        #expect(reports(host).isEmpty)
    }

    @Test func `scan responses arrive in a passive scan`() {
        let host = makeHost()
        host.controller.faults.begin(.scanResponses)
        #expect(reports(host).contains { $0[5] == 4 })
    }

    @Test func `extended reports arrive instead of legacy ones`() {
        let host = makeHost()
        host.controller.faults.begin(.extendedReports)
        let events = host.run(for: .seconds(1)).filter { $0.starts(with: [4, 0x3e]) }
        #expect(!events.isEmpty && events.allSatisfy { $0[3] == 0x0d && $0.count == Int($0[2]) + 3 })
    }

    @Test func `addresses and parameters may be refused`() {
        let host = makeHost()
        _ = host.perform(.leSetScanEnable, [0, 0])
        host.controller.faults.begin(.disallowedAddress)
        host.controller.faults.begin(.disallowedParameters)
        #expect(host.perform(.leSetRandomAddress, [1, 2, 3, 4, 5, 0xc6]) == .commandDisallowed)
        #expect(host.perform(.leSetScanParameters, [0, 0x60, 0, 0x60, 0, 1, 0]) == .commandDisallowed)
    }

    @Test func `no other fault refuses addresses and parameters`() {
        let host = makeHost()
        _ = host.perform(.leSetScanEnable, [0, 0])
        for fault in [ControllerFault.duplicateFilter, .scanResponses, .emptyReports, .unknownRSSI] {
            host.controller.faults.begin(fault)
        }
        #expect(host.perform(.leSetRandomAddress, [1, 2, 3, 4, 5, 0xc6]) == .success)
        #expect(host.perform(.leSetScanParameters, [0, 0x60, 0, 0x60, 0, 1, 0]) == .success)
    }

    @Test func `a flood has thousands of reports, and answers still arrive`() {
        let host = makeHost()
        host.controller.faults.floodPerSecond = 10_000
        host.controller.faults.begin(.eventFlood)
        #expect(reports(host).count > 5_000)
        #expect(host.perform(.readLocalVersion) == .success)
    }

    @Test func `duplicated events arrive twice`() {
        let host = makeHost()
        host.controller.faults.begin(.duplicateEvents)
        host.send(.readLocalVersion)
        let answers = host.run(for: .milliseconds(50)).filter { $0.starts(with: [4, 0x0e]) }
        #expect(answers.count == 2)
    }

    @Test func `late events are late`() {
        let host = makeHost()
        host.controller.faults.begin(.lateEvents)
        let start = host.world.now
        for _ in 0..<5 { _ = host.perform(.readLocalVersion) }
        #expect(host.world.now - start > .seconds(1))
    }

    @Test func `an unknown RSSI is 127`() {
        let host = makeHost()
        host.controller.faults.begin(.unknownRSSI)
        let reports = reports(host)
        #expect(!reports.isEmpty && reports.allSatisfy { $0.last == 127 })
    }

    @Test func `a stream may lose bytes`() {
        let host = makeHost(over: .stream)
        host.controller.faults.begin(.corruptedStream)
        _ = host.run(for: .seconds(20))
        #expect(host.controller.truth.reportsDamaged > 5)
        #expect(host.controller.truth.reportsTaken > host.controller.truth.reportsDamaged)
    }

    /// LE Create Connection to a device that is not present.
    private static let connect: [UInt8] = [
        0x60, 0, 0x30, 0, 0, 1, 9, 9, 9, 9, 9, 0xc9, 1, 24, 0, 40, 0, 0, 0, 0xf4, 1, 0, 0, 0, 0,
    ]

    @Test(arguments: [false, true])
    func `the end of a cancelled attempt is reported, except under the fault that hides it`(isUntold: Bool) {
        let host = makeHost()
        if isUntold { host.controller.faults.begin(.untoldEndings) }
        #expect(host.perform(.leCreateConnection, Self.connect) == .success)
        host.send(.leCreateConnectionCancel)
        let events = host.run(for: .seconds(1)).filter { $0.starts(with: [4, 0x3e]) && $0[3] == 1 }
        #expect(events.count == (isUntold ? 0 : 1))
    }

    @Test func `connecting while advertising blocks the controller`() {
        let host = makeHost()
        host.controller.faults.begin(.wedgeWhenConnecting)
        #expect(host.perform(.leSetAdvertisingEnable, [1]) == .success)
        #expect(host.perform(.leCreateConnection, Self.connect) == nil)
        #expect(host.perform(.reset) == nil)
        #expect(reports(host).isEmpty)
    }
}
