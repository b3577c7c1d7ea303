import BoardCommandLine
import CLinux
import Configuration
import DeviceSync
import EncounterLog
import FixedMemory

/// Checks the service, the agent that it runs, and what the agent says of itself.
struct AgentCheck {
    let files: SystemFiles
    /// The agent's status socket; nil for the service's.
    let socket: UnsafePointer<CChar>?

    /// - Returns: the agent's status; nil if it does not run, or if another system is looked at.
    func run(_ configuration: AgentConfiguration, _ diagnosis: inout Diagnosis) -> BoardStatus? {
        if !configuration.isSetUp {
            diagnosis.report(
                .fault, "place", "the board is not set up, so its radio stays off",
                .advice("run tabardctl setup on the computer at the sync port, or set herald.location"))
        }
        checkService(&diagnosis)
        // The files of another system say nothing of the agent of this one.
        guard socket != nil || files.isThisSystem else { return nil }
        let status: BoardStatus
        do throws(StatusRequest.Failure) {
            status = try StatusRequest.send(to: socket ?? StatusRequest.standardSocket)
        } catch {
            report(error, &diagnosis)
            return nil
        }
        diagnosis.report(.good, "agent") { line throws(CapacityError) in
            try line.append("runs, version ")
            try StatusValues.write(version: status.softwareVersion, to: &line)
        }
        if configuration.isSetUp { checkClock(status, configuration.agent.role, &diagnosis) }
        checkIdentity(status, &diagnosis)
        return status
    }

    /// Whether systemd starts the agent at boot.
    private func checkService(_ diagnosis: inout Diagnosis) {
        guard files.exists("/usr/lib/systemd/system/tabard.service") else { return }
        guard !files.exists("/etc/systemd/system/multi-user.target.wants/tabard.service") else { return }
        diagnosis.report(
            .warning, "service", "the agent does not start when the board starts",
            .run("sudo systemctl enable tabard"))
    }

    /// Whether the control group of the service has processes, as systemd makes it.
    private var isServiceRunning: Bool {
        var start = Bytes<1>()
        return files.path("/sys/fs/cgroup/system.slice/tabard.service/cgroup.procs").read(&start) > 0
    }

    private func report(_ failure: StatusRequest.Failure, _ diagnosis: inout Diagnosis) {
        switch failure {
        case .system(let number) where number == CLINUX_ETIMEDOUT:
            diagnosis.report(
                .fault, "agent", "it hangs: it does not answer within five seconds",
                .run("sudo systemctl restart tabard"))
        case .system(let number) where number == CLINUX_ENOENT || number == CLINUX_ECONNREFUSED:
            guard !isServiceRunning else {
                return diagnosis.report(
                    .warning, "agent", "it is starting; the first start creates the log",
                    .advice("run the doctor again in a minute"))
            }
            diagnosis.report(
                .fault, "agent", "it does not run; journalctl -u tabard -e shows why",
                .run("sudo systemctl restart tabard"))
        case .system(let number):
            diagnosis.report(.unknown, "agent", .advice("ask as root: sudo tabard doctor")) {
                line throws(CapacityError) in
                try line.append("cannot be asked", systemError: number)
            }
        case .strange:
            diagnosis.report(
                .fault, "agent", "its answer is not a board's status",
                .run("sudo systemctl restart tabard"))
        }
    }

    private func checkClock(
        _ status: BoardStatus, _ role: AgentConfiguration.Role, _ diagnosis: inout Diagnosis
    ) {
        if let time = status.wallClock {
            return diagnosis.report(.good, "clock") { line throws(CapacityError) in
                try StatusValues.write(time, to: &line)
            }
        }
        diagnosis.report(
            role == .wearable ? .fault : .warning, "clock",
            role == .wearable
                ? "not known, so the wearable has no identity to advertise"
                : "not known; contacts get their times at the next sync",
            .advice("run tabardctl sync on the computer at the sync port, or sudo timedatectl set-ntp true"))
    }

    private func checkIdentity(_ status: BoardStatus, _ diagnosis: inout Diagnosis) {
        if status.identityState == .keyMissing {
            diagnosis.report(
                .fault, "identity", "the wearable has no key for today",
                .advice("give it keys for the coming days: tabardctl provision --scheme herald"))
        }
        if status.duplicateIdentityCount > 0 {
            diagnosis.report(
                .fault, "identity", "another device advertises this board's identity",
                .advice("give each beacon a number of its own, and make the card of a copied board anew"))
        }
    }
}
