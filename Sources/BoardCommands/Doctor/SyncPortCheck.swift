import Configuration
import FixedMemory

/// Checks the port that serves the log.
struct SyncPortCheck {
    let files: SystemFiles

    func run(_ port: SyncPortName, _ diagnosis: inout Diagnosis) {
        switch port {
        case .off:
            diagnosis.report(
                .warning, "sync port", "none, so nobody can fetch the log or set the board up",
                .advice("set sync.port, for example to /dev/tabard-sync"))
        case .pseudoTerminal(let link): report(link, &diagnosis)
        case .device(let path): report(path, &diagnosis)
        }
    }

    private func report(_ path: FixedText<128>, _ diagnosis: inout Diagnosis) {
        guard !files.path("", path.span).exists else {
            return diagnosis.report(.good, "sync port") { line throws(CapacityError) in
                try line.append(path.span)
            }
        }
        let remedy: Diagnosis.Remedy
        if !path.span.isEqual(to: "/dev/tabard-sync"), !path.span.isEqual(to: "/dev/ttyGS0") {
            remedy = .advice("attach the device, or set sync.port to another")
        } else if files.forEachEntry(of: "/sys/class/udc", { _ in true }) {
            remedy = .run("sudo systemctl restart tabard-gadget")
        } else {
            remedy = .advice(
                "a Raspberry Pi's USB device port needs dtoverlay=dwc2,dr_mode=peripheral in config.txt"
            )
        }
        diagnosis.report(.fault, "sync port", remedy) { line throws(CapacityError) in
            try line.append(path.span)
            try line.append(" is not there")
        }
    }
}
