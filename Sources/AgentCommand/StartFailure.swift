import Agent
import CLinux
import Configuration
import EncounterLog
import FixedMemory
import LinuxPlatform

/// The reason why `tabard run` could not start, or had to stop: one line for the operator, and an exit code.
enum StartFailure: Error {
    case system(Int32)
    case memory
    case payload
    case secret(Secret, SecretFileError)
    case keys(BoardKeyFileError)
    case logFile(FlashFileError)
    case log(LogError)
    case serial(Int32)
    case snoop(Int32)
    case radio(Int32)
    /// The radio could not be brought up again; all recovery steps failed.
    case radioLost(RungCounts)
    /// A signal arrived before the start was complete.
    case stopped

    enum Secret { case herald, sonar, covidTracer }

    var exitCode: Int32 {
        switch self {
        case .stopped: ExitCode.success
        case .system, .memory: ExitCode.tryAgain
        case .payload, .secret(_, .damaged), .secret(_, .root), .keys(.record): ExitCode.data
        case .secret(_, .notPrivate), .keys(.notPrivate): ExitCode.permission
        case .keys(.noKey): ExitCode.tryAgain
        case .keys(.cannotOpen(let number)), .keys(.cannotRead(let number)), .keys(.cannotMake(let number)):
            number == CLINUX_EACCES || number == CLINUX_EPERM ? ExitCode.permission : ExitCode.inputOutput
        case .secret(_, .cannotOpen(let number)), .secret(_, .cannotRead(let number)),
            .secret(_, .cannotMake(let number)):
            number == CLINUX_EACCES || number == CLINUX_EPERM ? ExitCode.permission : ExitCode.inputOutput
        case .radioLost: ExitCode.unavailable
        case .logFile(.inUse): ExitCode.tryAgain
        case .logFile(.tooSmall): ExitCode.data
        case .logFile(.cannotOpen(let number)), .logFile(.cannotAllocate(let number)), .snoop(let number):
            number == CLINUX_EACCES || number == CLINUX_EPERM ? ExitCode.permission : ExitCode.inputOutput
        case .log(.flash): ExitCode.inputOutput
        case .log(.cannotSeal): ExitCode.tryAgain
        case .log: ExitCode.data
        case .serial(let number), .radio(let number):
            switch Int(number) {
            case CLINUX_EACCES, CLINUX_EPERM: ExitCode.permission
            case CLINUX_EBUSY, CLINUX_EUSERS: ExitCode.tryAgain
            default: ExitCode.unavailable
            }
        }
    }

    func describe(to line: inout FixedBuffer<1024>, _ configuration: AgentConfiguration) throws(CapacityError)
    {
        switch self {
        case .stopped: try line.append("stopped while waiting for the adapter")
        case .system(let number):
            try line.append("cannot start: ")
            try line.append(cString: clinux_error_text(number))
        case .memory:
            try line.append("cannot start: the kernel gives no memory; lower encounters.peers")
        case .payload:
            try line.append("[herald]: the payload does not fit 512 bytes; shorten the texts")
        case .secret(let secret, let error):
            let key: StaticString
            let path: FixedText<256>?
            switch secret {
            case .herald: (key, path) = ("herald.secret: ", configuration.herald.secret)
            case .sonar: (key, path) = ("schemes.sonar: ", configuration.file(besideKeysWith: ".sonar"))
            case .covidTracer:
                (key, path) = ("schemes.covid_tracer: ", configuration.file(besideKeysWith: ".covid-tracer"))
            }
            try line.append(key)
            try line.append((path ?? configuration.keys.path).span)
            try line.append(": ")
            try describe(error, of: secret, to: &line)
        case .keys(let error):
            try line.append("keys.path: ")
            try line.append((configuration.keysFile ?? configuration.keys.path).span)
            try line.append(": ")
            try error.describe(to: &line)
        case .logFile(let error):
            try line.append("log.path: ")
            try line.append(configuration.log.path.span)
            try line.append(": ")
            try describe(error, to: &line)
        case .log(let error):
            try line.append("log.path: ")
            try line.append(configuration.log.path.span)
            try line.append(": ")
            try describe(error, to: &line)
        case .serial(let number):
            try line.append("sync.port: ")
            try configuration.sync.port.write(to: &line)
            try line.append(": ")
            if number == CLINUX_EEXIST {
                try line.append("a file stands where the link is to be; remove it or choose another path")
            } else {
                try line.append(cString: clinux_error_text(number))
            }
        case .snoop(let number):
            try line.append("snoop.file: ")
            try line.append(configuration.snoop.file.span)
            try line.append(": ")
            try line.append(cString: clinux_error_text(number))
        case .radio(let number):
            try line.append("radio.hci: ")
            try configuration.radio.hci.write(to: &line)
            try line.append(": ")
            try describeRadio(number, configuration.radio.hci, to: &line)
        case .radioLost(let rungs):
            try line.append("radio.hci: ")
            try configuration.radio.hci.write(to: &line)
            try line.append(": not to be brought up for ")
            try line.append(decimal: UInt64(configuration.radio.giveUpMinutes))
            try line.append(" minutes; tried: reset ")
            try line.append(decimal: UInt64(rungs.reset))
            try line.append(", opened anew ")
            try line.append(decimal: UInt64(rungs.reopen))
            try line.append(", power taken ")
            try line.append(decimal: UInt64(rungs.powerCycle))
            try line.append(" times. Look for Bluetooth in dmesg, and take the board's power for a moment")
        }
    }

    private func describe(
        _ error: SecretFileError, of secret: Secret, to line: inout FixedBuffer<1024>
    ) throws(CapacityError) {
        switch error {
        case .cannotOpen(let number):
            try line.append("cannot be opened: ")
            try line.append(cString: clinux_error_text(number))
        case .cannotRead(let number):
            try line.append("cannot be read: ")
            try line.append(cString: clinux_error_text(number))
        case .cannotMake(let number):
            try line.append("cannot be made: ")
            try line.append(cString: clinux_error_text(number))
            if number == CLINUX_ENOENT { try line.append("; make the directory first") }
        case .notPrivate:
            try line.append(
                "others may read it; if nobody has: chmod 600, or else move it away for a new one")
        case .root:
            try line.append(
                "is what all days' keys follow from; a board keeps keys of days: move it to a safe ")
            try line.append("place, and give the board keys of it: tabardctl provision --scheme ")
            try line.append(secret == .herald ? "herald" : "covid-tracer" as StaticString)
        case .damaged:
            try line.append("is no record of ours, or is damaged; provision it again, or move it away")
        }
    }

    private func describe(_ error: FlashFileError, to line: inout FixedBuffer<1024>) throws(CapacityError) {
        switch error {
        case .cannotOpen(let number):
            try line.append("cannot be opened: ")
            try line.append(cString: clinux_error_text(number))
            switch Int(number) {
            case CLINUX_ENOENT: try line.append("; make the directory first, or name a device that exists")
            case CLINUX_EBUSY: try line.append("; unmount it first")
            case CLINUX_ENODEV: try line.append("; it is no file, block device or MTD character device")
            default: break
            }
        case .inUse: try line.append("another agent is writing to it; stop that one first")
        case .cannotAllocate(let number):
            try line.append("cannot be made: ")
            try line.append(cString: clinux_error_text(number))
            if number == CLINUX_ENOSPC || number == CLINUX_EFBIG {
                try line.append("; lower log.size_mebibytes")
            }
        case .tooSmall: try line.append("too small for a log, or none can stand on its kind; choose another")
        }
    }

    private func describe(_ error: LogError, to line: inout FixedBuffer<1024>) throws(CapacityError) {
        switch error {
        case .mediumHoldsSomethingElse:
            try line.append(
                "holds something that is not a log of ours; it was left alone. Choose another path")
        case .geometryMismatch: try line.append("was made with another geometry; move the file away")
        case .unsupportedVersion(let version):
            try line.append("is in format version ")
            try line.append(decimal: version)
            try line.append(", which this tabard cannot read; use a newer one")
        case .unsupportedFlags: try line.append("uses features this tabard cannot read; use a newer one")
        case .flash(let error):
            try line.append("the medium fails: ")
            try line.append(cString: clinux_error_text(error.code))
        case .eraseHadNoEffect: try line.append("the medium cannot be erased; it may be worn out")
        case .noMemory: try line.append("no memory for its page")
        case .blocksTooSmallToSeal:
            try line.append("its blocks are too small for sealed pages; move the file away")
        case .cannotSeal: try line.append("no key could be made to seal it with; try again")
        default:
            try line.append("is damaged; see what it holds with tabardctl inspect FILE, then move it away")
        }
    }

    private func describeAdapters(to line: inout FixedBuffer<1024>) throws(CapacityError) {
        try line.append("no such adapter; ")
        guard let adapters = try? AdapterList.ofKernel(), !adapters.isEmpty else {
            try line.append("there is none at all: look for Bluetooth in dmesg, or wait for it to appear")
            return
        }
        try line.append("there are: ")
        try adapters.write(to: &line)
        try line.append(". Set radio.hci to one of them, or plug it in")
    }

    private func describeRadio(
        _ number: Int32, _ name: TransportName, to line: inout FixedBuffer<1024>
    ) throws(CapacityError) {
        guard case .hciSocket = name else {
            try line.append("cannot be opened: ")
            try line.append(cString: clinux_error_text(number))
            return
        }
        switch Int(number) {
        case CLINUX_EBUSY, CLINUX_EUSERS:
            try line.append("another program holds the adapter; stop bluetoothd (systemctl stop bluetooth), ")
            try line.append("or take it down (btmgmt power off)")
        case CLINUX_EPERM, CLINUX_EACCES:
            try line.append("not permitted; run as root or with CAP_NET_ADMIN")
        case CLINUX_ENODEV, CLINUX_EAGAIN: try describeAdapters(to: &line)
        case CLINUX_ERFKILL:
            try line.append("the adapter is blocked; unblock it with: rfkill unblock bluetooth")
        case CLINUX_EAFNOSUPPORT:
            try line.append("this kernel has no Bluetooth; load its module or name another transport")
        default:
            try line.append("cannot be opened: ")
            try line.append(cString: clinux_error_text(number))
        }
    }
}
