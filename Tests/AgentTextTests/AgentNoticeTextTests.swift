import Agent
import AgentText
import EncounterLog
import FixedMemory
import HCI
import Testing

@testable import Radio

@Suite struct AgentNoticeTextTests {
    @Test(
        arguments: [
            (
                .radio(.recovery(.commandTimeout(.leSetScanEnable), .reset)),
                "radio down: the controller did not answer HCI command 0x200c; resetting the controller"
            ),
            (
                .radio(.recovery(.scanStopped, .restartScan)),
                "radio fault suspected: the controller does not scan although it was told to; restarting the scan"
            ),
            (
                .radio(.emptyRoomAssumed),
                "radio: the controller obeys every command and reports no peer; assuming an empty room"
            ),
            (
                .radio(.emptyRoomRechecked),
                "radio: no peer is heard any more; resetting the controller to be sure"
            ),
            (
                .radio(.powerNotRestored),
                "radio: the board cannot switch the controller's power on again; check radio.power"
            ),
            (
                .identityStandingChanged(.present), "identity: the board shows a new identity every 6 minutes"
            ),
            (
                .identityStandingChanged(.timeUnknown),
                "identity: the board does not advertise until it knows the time; sync it, or set its clock"
            ),
            (
                .identityStandingChanged(.keyMissing),
                "identity: the board does not advertise without today's key; check its medium if this lasts"
            ),
            (
                .identityDuplicated(.beacon),
                "identity: another device serves this board's payload; give each its own herald.location"
            ),
            (
                .identityDuplicated(.wearable),
                "identity: another device serves this board's payload; give each its own keys"
            ),
            (
                .dayKeysNotStored,
                "keys: the medium does not take new day keys, which identities need; check the medium"
            ),
            (
                .foreignPagesFound,
                "log: the medium holds pages that this board did not write; the log leaves them out"
            ),
            (
                .staleBlocksFound,
                "log: damaged or half-written blocks lie behind the log's end; the log will overwrite them"
            ),
            (.logWriteFailed, "log: the medium refuses writes, so entries stay in memory; check the medium"),
            (.logWriteResumed, "log: the medium takes writes again"),
            (.logOwnerKeyChanged, "log: new pages are encrypted for the new owner key"),
            (.stopped(encounterCount: 0), "stopped: 0 encounters recorded"),
            (.stopped(encounterCount: 1), "stopped: 1 encounter recorded"),
            (.stopped(encounterCount: .max), "stopped: 4294967295 encounters recorded"),
        ] as [(AgentNotice, String)])
    func `Each notice is one line`(notice: AgentNotice, line: String) throws {
        #expect(try text(notice) == line)
    }

    @Test(
        arguments: [
            (
                .bringUp(.refused(.reset, .unknownCommand)),
                "radio down: the controller refused HCI command 0x0c03 with status 0x01"
            ),
            (
                .bringUp(.truncatedAnswer(.reset)),
                "radio down: the controller sent too short an answer to HCI command 0x0c03"
            ),
            (.hardwareError(0x42), "radio down: the controller reported hardware error 0x42"),
            (.stuckConnecting, "radio down: the controller never ended a cancelled connection attempt"),
            (.stuckLink, "radio down: the controller never ended a disconnected link"),
            (.transport(.gone), "radio down: the transport has closed"),
            (.transport(.system(19)), "radio down: the transport failed with error 19"),
            (.emptyReports, "radio fault suspected: advertising reports have no content"),
            (
                .wrongScanMode(.duplicatesFiltered),
                "radio fault suspected: the controller filters duplicate advertising reports"
            ),
            (
                .wrongScanMode(.scanResponses),
                "radio fault suspected: the controller reports scan responses to a passive scan"
            ),
            (
                .wrongScanMode(.extendedReports),
                "radio fault suspected: the controller sends extended advertising reports for a legacy scan"
            ),
            (
                .refusedRole(.leSetScanEnable, .commandDisallowed),
                "radio fault suspected: the controller refused HCI command 0x200c with status 0x0c"
            ),
            (.garbledStream, "radio fault suspected: the stream from the controller is corrupted"),
        ] as [(RadioFault, String)])
    func `A recovery names the fault`(fault: RadioFault, start: String) throws {
        #expect(try text(.radio(.recovery(fault, .reset))) == start + "; resetting the controller")
    }

    @Test(
        arguments: [
            (.restartRoles, "restarting the scan and advertising"), (.reopen, "reopening the transport"),
            (.powerCycle, "switching the controller off and on"), (.giveUp, "giving up"),
        ] as [(RecoveryRung, String)])
    func `A recovery names the rung`(rung: RecoveryRung, end: String) throws {
        #expect(try text(.radio(.recovery(.stuckLink, rung))).hasSuffix("; " + end))
    }

    @Test func `A radio that is up gives its address and versions`() throws {
        #expect(
            try text(.radio(.up(radio(.none))))
                == "radio up: address C0:11:22:33:44:55, HCI version 9, manufacturer 305, firmware 0x1b6c")
    }

    @Test(
        arguments: [
            (.firmwarePatchMissing, "; the firmware patch is missing: install the chip's firmware"),
            (
                .cannotAdvertise,
                "; the controller cannot advertise, so the board writes its identity to peers"
            ),
            (
                .randomAddressRefused,
                "; the controller refuses random addresses: the board sends under its public one"
            ),
            (.eventMaskRefused, "; the controller refuses an event mask"),
            (.informationMissing, "; it has not told all its properties"),
            (.timeMultiplexed, "; scanning and advertising are time-multiplexed"),
            (.scanningDisabled, "; scanning is off (radio.scan)"),
            (.advertisingDisabled, "; advertising is off (radio.advertise)"),
        ] as [(RadioUpNotice.Restrictions, String)])
    func `A radio that is up names what restricts it`(
        restriction: RadioUpNotice.Restrictions, end: String
    ) throws {
        #expect(try text(.radio(.up(radio(restriction)))).hasSuffix("firmware 0x1b6c" + end))
    }

    @Test func `The longest notice fits the line of a board`() throws {
        let restrictions = RadioUpNotice.Restrictions(rawValue: .max)
        let notice = RadioUpNotice(
            address: DeviceAddress(value: 0xc011_2233_4455, isRandom: true), hciVersion: .max,
            manufacturer: .max, firmware: .max, restrictions: restrictions)
        #expect(try text(.radio(.up(notice))).hasSuffix("(radio.advertise)"))
    }

    private func radio(_ restrictions: RadioUpNotice.Restrictions) -> RadioUpNotice {
        RadioUpNotice(
            address: DeviceAddress(value: 0xc011_2233_4455, isRandom: true), hciVersion: 9,
            manufacturer: 305, firmware: 0x1b6c, restrictions: restrictions)
    }

    private func text(_ notice: AgentNotice) throws -> String {
        var line = FixedBuffer<512>()
        try notice.write(to: &line)
        return String(decoding: (0..<line.count).map { line[$0] }, as: UTF8.self)
    }
}
