import Simulator
import Testing

/// A host may send the next command only after it has received the answer to the last one
/// (Bluetooth Core 5.4, Vol 4, Part E, 4.4). It may send a reset at any time.
@Suite struct CommandCreditTests {
    private func makeHost() -> ControllerHost {
        let host = ControllerHost(in: World(seed: 1))
        #expect(host.perform(.reset) == .success)
        return host
    }

    @Test func `the next command may follow the answer`() {
        let host = makeHost()
        #expect(host.perform(.readDeviceAddress) == .success)
        #expect(host.perform(.readDeviceAddress) == .success)
        #expect(host.controller.violations == [])
    }

    @Test func `an answer that the host has not read gives no credit`() {
        let host = makeHost()
        host.send(.readDeviceAddress)
        host.world.run(for: .seconds(1))
        host.send(.readDeviceAddress)
        #expect(host.controller.violations.count == 1)
    }

    @Test func `the host must await the answer to a reset, too`() {
        let host = makeHost()
        host.send(.reset)
        host.send(.readDeviceAddress)
        #expect(host.controller.violations.count == 1)
    }

    @Test func `a host whose answer never comes may send a reset, and no other command`() {
        let host = makeHost()
        host.controller.faults.begin(.crowdedReplies)
        host.controller.faults.begin(.commandTimeout)
        host.send(.readDeviceAddress)
        host.run(for: .seconds(10))
        host.send(.reset)
        #expect(host.controller.violations == [])
        host.run(for: .seconds(10))
        host.send(.readDeviceAddress)
        #expect(host.controller.violations.count == 1)
    }

    @Test(arguments: [ControllerFault.duplicateEvents, .corruptedStream])
    func `a fault that can fake an answer excuses the next command`(fault: ControllerFault) {
        let host = makeHost()
        host.controller.faults.begin(fault)
        host.send(.readDeviceAddress)
        host.send(.readDeviceAddress)
        #expect(host.controller.violations == [])
    }

    @Test(arguments: [(HCITransport.Kind.packets, false), (.stream, true)])
    func `a forged event that is no answer excuses a command only on a UART, where it may be part of one`(
        kind: HCITransport.Kind, isExcused: Bool
    ) {
        let host = ControllerHost(over: kind, in: World(seed: 1))
        host.controller.script = ScriptedBehaviour()
        host.send(.readDeviceAddress)
        host.controller.injectForgery([4, 0xff, 2, 1, 2])
        host.send(.readDeviceAddress)
        #expect(host.controller.violations.isEmpty == isExcused)
    }

    @Test func `a forged answer is as good as any, and the next reaction serves one command`() {
        let host = makeHost()
        let script = ScriptedBehaviour()
        host.controller.script = script
        script.nextReaction = .ignore
        host.send(.readDeviceAddress)
        host.controller.injectForgery([4, 0x0e, 4, 1, 0x09, 0x10, 0])
        host.run(for: .milliseconds(10))
        #expect(host.perform(.readDeviceAddress) == .success)
        #expect(host.controller.violations == [])
    }

    @Test func `reopening the transport gives a new credit`() {
        let host = makeHost()
        host.send(.readDeviceAddress)
        #expect(host.reopen())
        host.send(.readDeviceAddress)
        #expect(host.controller.violations == [])
    }
}
