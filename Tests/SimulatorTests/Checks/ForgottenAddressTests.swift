import FixedMemory
import HCI
import Testing

@testable import Simulator

/// A wearable whose controller forgets everything without a word, its address and advertising parameters too.
/// Such a controller advertises under its public address if it is only told to advertise. That address never
/// changes, so a wearable must not appear under it.
@Suite struct ForgottenAddressTests {
    /// Returns the public addresses under which a wearable with this option appears in a quarter of an hour,
    /// in which its controller forgets everything now and then.
    private func publicAddresses(_ option: WorldOption) -> [DeviceAddress] {
        let checked = CheckedBoard(options: { $0.world = [.wearable, option] })
        checked.board.powerOn()
        checked.board.clock.setWallClock(
            WallClockTime(days: UInt64(SimulatedBoard.heraldEpochDay) + 5), errorMilliseconds: 20)
        checked.add("phone", .android)
        checked.add("phone that comes often", .frequent)
        checked.run(.seconds(20))
        checked.controller.faults.begin(.amnesia)
        checked.run(.minutes(15))
        defer { checked.end() }
        #expect(checked.controller.truth.addresses.count >= 3)
        return checked.controller.truth.addresses.filter { !$0.isRandom }
    }

    @Test(arguments: [WorldOption.sonarOn, .rolesByTurns])
    func `a wearable never appears under its public address`(option: WorldOption) {
        #expect(publicAddresses(option) == [])
    }
}
