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

    @Test func `an answer that waits to be taken gives no credit`() {
        let host = makeHost()
        host.send(.readDeviceAddress)
        host.world.run(for: .seconds(1))
        host.send(.readDeviceAddress)
        #expect(host.controller.violations.count == 1)
    }

    @Test func `the answer to a reset is waited for, too`() {
        let host = makeHost()
        host.send(.reset)
        host.send(.readDeviceAddress)
        #expect(host.controller.violations.count == 1)
    }

    @Test func `who waits in vain may reset, and nothing else`() {
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
    func `what may have been taken for an answer excuses`(fault: ControllerFault) {
        let host = makeHost()
        host.controller.faults.begin(fault)
        host.send(.readDeviceAddress)
        host.send(.readDeviceAddress)
        #expect(host.controller.violations == [])
    }

    @Test func `who opens the transport anew begins anew`() {
        let host = makeHost()
        host.send(.readDeviceAddress)
        #expect(host.reopen())
        host.send(.readDeviceAddress)
        #expect(host.controller.violations == [])
    }
}
