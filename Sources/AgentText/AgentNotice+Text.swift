import Agent
import EncounterLog
import FixedMemory
import HCI
import Radio

extension AgentNotice {
    /// Writes one line for the board's operator: where, what happened, and what to do if anything.
    public func write<Sink: ByteSink & ~Copyable>(to line: inout Sink) throws(CapacityError) {
        switch self {
        case .radio(.up(let notice)): try notice.write(to: &line)
        case .radio(.recovery(let fault, let rung)):
            try line.append(fault.isHard ? "radio down: " : "radio fault suspected: ")
            try fault.write(to: &line)
            try line.append("; ")
            try line.append(rung.action)
        default: try line.append(sentence)
        }
        if case .batteryLow(let percent?) = self {
            try line.append(decimal: percent)
            try line.append(" percent; the log is committed")
        }
        if case .stopped(let count) = self {
            try line.append(decimal: count)
            try line.append(count == 1 ? " encounter recorded" : " encounters recorded")
        }
    }

    private var sentence: StaticString {
        switch self {
        case .radio(.up), .radio(.recovery): ""
        case .radio(.emptyRoomAssumed):
            "radio: the controller obeys every command and reports no peer; assuming an empty room"
        case .radio(.emptyRoomRechecked):
            "radio: no peer is heard any more; resetting the controller to be sure"
        case .radio(.powerNotRestored):
            "radio: the board cannot switch the controller's power on again; check radio.power"
        case .identityStandingChanged(.present): "identity: the board shows a new identity every 6 minutes"
        case .identityStandingChanged(.timeUnknown):
            "identity: the board does not advertise until it knows the time; sync it, or set its clock"
        case .identityStandingChanged(.keyMissing):
            "identity: the board does not advertise without today's key; check its medium if this lasts"
        case .identityDuplicated(.beacon):
            "identity: another device serves this board's payload; give each its own herald.location"
        case .identityDuplicated:
            "identity: another device serves this board's payload; give each its own keys"
        case .dayKeysNotStored:
            "keys: the medium does not take new day keys, which identities need; check the medium"
        case .staleBlocksFound:
            "log: damaged or half-written blocks lie behind the log's end; the log will overwrite them"
        case .foreignPagesFound:
            "log: the medium holds pages that this board did not write; the log leaves them out"
        case .logWriteFailed:
            "log: the medium refuses writes, so entries stay in memory; check the medium"
        case .logWriteResumed: "log: the medium takes writes again"
        case .logOwnerKeyChanged: "log: new pages are encrypted for the new owner key"
        case .updateConfirmed: "update: this agent has run well for a minute, and stays"
        case .batteryLow(nil): "battery: low; the log is committed"
        case .batteryLow: "battery: low at "
        case .momentMarked: "mark: this moment is in the log"
        case .stopped: "stopped: "
        }
    }
}

extension RadioUpNotice {
    fileprivate func write<Sink: ByteSink & ~Copyable>(to line: inout Sink) throws(CapacityError) {
        try line.append("radio up: address ")
        try line.append(address)
        try line.append(", HCI version ")
        try line.append(decimal: hciVersion)
        try line.append(", manufacturer ")
        try line.append(decimal: manufacturer)
        try line.append(", firmware 0x")
        try line.append(hex: UInt64(firmware), digitCount: 4)
        if restrictions.contains(.firmwarePatchMissing) {
            try line.append("; the firmware patch is missing: install the chip's firmware")
        }
        if restrictions.contains(.randomAddressRefused) {
            try line.append(
                "; the controller refuses random addresses: the board sends under its public one")
        }
        if restrictions.contains(.eventMaskRefused) {
            try line.append("; the controller refuses an event mask")
        }
        if restrictions.contains(.informationMissing) {
            try line.append("; it has not told all its properties")
        }
        if restrictions.contains(.cannotAdvertise) {
            try line.append("; the controller cannot advertise, so the board writes its identity to peers")
        }
        if restrictions.contains(.timeMultiplexed) {
            try line.append("; scanning and advertising are time-multiplexed")
        }
        if restrictions.contains(.scanningDisabled) { try line.append("; scanning is off (radio.scan)") }
        if restrictions.contains(.advertisingDisabled) {
            try line.append("; advertising is off (radio.advertise)")
        }
    }
}

extension RecoveryRung {
    fileprivate var action: StaticString {
        switch self {
        case .restartScan: "restarting the scan"
        case .restartRoles: "restarting the scan and advertising"
        case .reset: "resetting the controller"
        case .reopen: "reopening the transport"
        case .powerCycle: "switching the controller off and on"
        case .giveUp: "giving up"
        default: "waiting"
        }
    }
}
