import DeviceSync
import EncounterLog
import LogContents

extension BoardStatus {
    /// The agent's version, such as "0.3.0".
    public var versionText: String { "\(softwareVersion[0]).\(softwareVersion[1]).\(softwareVersion[2])" }

    /// The radio's condition as text for people: its state, its last fault, and the recovery steps since the
    /// agent's boot. Example: "up; last fault: no answer to a command; 3 × controller reset".
    public var radioText: String {
        var parts = [radioState?.text ?? "unknown"]
        if let radioFault { parts.append("last fault: \(RadioFaultKind(rawValue: radioFault).text)") }
        let rungs = RecoveryRung.text([
            (.restartScan, Int(scanRestartCount)), (.restartRoles, Int(rolesRestartCount)),
            (.reset, Int(controllerResetCount)), (.reopen, Int(reopenCount)),
            (.powerCycle, Int(powerCycleCount)),
        ])
        if !rungs.isEmpty { parts.append(rungs) }
        if let silence = identityState?.silenceText { parts.append(silence) }
        return parts.joined(separator: "; ")
    }
}

extension BoardStatus.IdentityState {
    /// Why a wearable does not advertise, as text for people; nil if its identity does not prevent it.
    fileprivate var silenceText: String? {
        guard self != .present else { return nil }
        return silence.map { "\($0)" } ?? "not advertising: reason \(rawValue) of another version"
    }
}

extension BoardStatus.RadioState {
    /// The state as text for people; a state of a later version by number.
    public var text: String { words.map { "\($0)" } ?? "state \(rawValue) of a later version" }
}
