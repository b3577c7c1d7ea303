import BoardLink
import DeviceSync
import Testing

/// The text of `tabardctl devices` about a board's radio.
@Suite struct RadioTextTests {
    @Test(
        arguments: [
            (0, "up"), (1, "recovering"), (2, "up, room assumed empty"), (3, "lost"),
            (9, "state 9 of a later version"),
        ] as [(UInt8, String)])
    func `each radio state has a word`(state: UInt8, words: String) {
        var status = BoardStatus()
        status.radioState = .init(rawValue: state)
        #expect(status.radioText == words)
    }

    @Test func `an older board gives no radio text`() {
        #expect(BoardStatus().radioText == "unknown")
    }

    @Test func `the last fault is named`() {
        var status = BoardStatus()
        status.radioState = .recovering
        status.radioFault = 2
        #expect(status.radioText == "recovering; last fault: the controller did not answer a command")
        status.radioFault = 200
        #expect(status.radioText == "recovering; last fault: fault 200 of a later version")
    }

    @Test func `the rungs taken are counted, mildest first`() {
        var status = BoardStatus()
        status.radioState = .up
        status.radioFault = 6
        status.scanRestartCount = 1
        status.rolesRestartCount = 2
        status.controllerResetCount = 3
        status.reopenCount = 4
        status.powerCycleCount = .max
        #expect(
            status.radioText == """
                up; last fault: the transport closed or failed; scan restarted, 2 × scanning and advertising restarted, \
                3 × controller reset, 4 × transport reopened, 4294967295 × controller power-cycled
                """)
    }

    @Test func `rungs that were never taken are left out`() {
        var status = BoardStatus()
        status.radioState = .up
        status.controllerResetCount = 1
        #expect(status.radioText == "up; controller reset")
    }

    @Test(
        arguments: [
            (0, "up"), (1, "up; not advertising: no clock"),
            (3, "up; not advertising: no key for today"),
            (9, "up; not advertising: reason 9 of another version"),
        ] as [(UInt8, String)])
    func `T4, T5: a wearable that does not advertise reports the reason`(state: UInt8, words: String) {
        var status = BoardStatus()
        status.radioState = .up
        status.identityState = BoardStatus.IdentityState(rawValue: state)
        #expect(status.radioText == words)
    }
}
