import Testing

@testable import LinuxPlatform

/// Tests of which adapter is switched off, and which is switched on again.
@Suite final class AdapterSwitchTests {
    /// The kernel's state: the adapters that exist, those that are off, and the one that the name refers to.
    private struct Kernel {
        var present: Set<UInt16>
        var meant: UInt16?
        var off: Set<UInt16> = []

        mutating func set(_ number: UInt16, _ isOn: Bool) -> Bool {
            guard present.contains(number) else { return false }
            if isOn { off.remove(number) } else { off.insert(number) }
            return true
        }
    }

    private var kernel = Kernel(present: [0, 1], meant: 1)
    private var adapterSwitch = AdapterSwitch()

    private func turn(on isOn: Bool) -> Bool {
        let meant = kernel.meant
        return adapterSwitch.turn(on: isOn, find: { meant }) { kernel.set($0, $1) }
    }

    @Test func `The configured adapter is switched off and on`() {
        #expect(turn(on: false))
        #expect(kernel.off == [1])
        #expect(turn(on: true))
        #expect(kernel.off.isEmpty)
    }

    @Test(arguments: [0, nil] as [UInt16?])
    func `An adapter that was switched off is switched on, even if another one is configured by then`(
        meant: UInt16?
    ) {
        #expect(turn(on: false))
        kernel.meant = meant
        #expect(turn(on: true))
        #expect(kernel.off.isEmpty)
    }

    @Test func `One that came back with another number is switched by that`() {
        #expect(turn(on: false))
        kernel = Kernel(present: [0, 2], meant: 2, off: [2])
        #expect(turn(on: true))
        #expect(kernel.off.isEmpty)
        #expect(turn(on: false))
        #expect(kernel.off == [2])
    }

    @Test func `A missing adapter is switched on once it is back`() {
        #expect(turn(on: false))
        kernel = Kernel(present: [0], meant: nil)
        #expect(!turn(on: true))
        kernel = Kernel(present: [0, 3], meant: 3, off: [3])
        #expect(turn(on: true))
        #expect(kernel.off.isEmpty)
    }

    @Test func `Without a configured adapter nothing is switched`() {
        kernel.meant = nil
        #expect(!turn(on: false))
        #expect(!turn(on: true))
        #expect(kernel.off.isEmpty)
    }
}
