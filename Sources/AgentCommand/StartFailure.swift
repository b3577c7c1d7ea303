import Agent
import BoardCommandLine
import CLinux
import Configuration
import EncounterLog
import FixedMemory
import LinuxPlatform
import Radio

/// The reason why `tabard run` could not start, or had to stop: one line for the operator, and an exit code.
enum StartFailure: Error {
    case system(Int32)
    case memory
    case payload
    case secret(Secret, SecretFileError)
    case keys(BoardKeyFileError)
    /// The record of the machine to which the keys belong could not be read or made.
    case machine(Int32)
    /// The log on a device belongs to another machine, with the keys.
    case foreignLog
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
        case .payload, .secret(_, .damaged), .secret(_, .root), .keys(.record), .foreignLog: ExitCode.data
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
        case .logFile(.cannotOpen(let number)), .logFile(.cannotAllocate(let number)), .snoop(let number),
            .machine(let number):
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
            try line.append("cannot start", systemError: number)
        case .memory:
            try line.append("cannot start: not enough memory; lower encounters.peers")
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
        case .machine(let number):
            try line.append("keys.path: ")
            try line.append((configuration.machineFile ?? configuration.keys.path).span)
            try line.append("", systemError: number)
        case .foreignLog:
            try line.append("log.path: ")
            try line.append(configuration.log.path.span)
            try line.append(": the log of another board; overwrite its start with zeros, or remove ")
            try line.append((configuration.machineFile ?? configuration.keys.path).span)
            try line.append(" if this board takes the other's place")
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
                try line.append("a file is in the place of the link; remove it or choose another path")
            } else {
                try line.append(systemError: number)
            }
        case .snoop(let number):
            try line.append("snoop.file: ")
            try line.append(configuration.snoop.file.span)
            try line.append(": ")
            try line.append(systemError: number)
        case .radio(let number):
            try line.append("radio.hci: ")
            try configuration.radio.hci.write(to: &line)
            try line.append(": ")
            try describeRadio(number, configuration.radio.hci, to: &line)
        case .radioLost(let rungs):
            try line.append("radio.hci: ")
            try configuration.radio.hci.write(to: &line)
            try line.append(": down for ")
            try line.append(decimal: UInt64(configuration.radio.giveUpMinutes))
            try line.append(" minutes; tried: reset ")
            try line.append(decimal: UInt64(rungs.reset))
            try line.append(", reopened ")
            try line.append(decimal: UInt64(rungs.reopen))
            try line.append(", power-cycled ")
            try line.append(decimal: UInt64(rungs.powerCycle))
            try line.append(" times; look for Bluetooth in dmesg, and power-cycle the board")
        }
    }

    private func describe(
        _ error: SecretFileError, of secret: Secret, to line: inout FixedBuffer<1024>
    ) throws(CapacityError) {
        switch error {
        case .cannotOpen(let number):
            try line.append("cannot open it", systemError: number)
        case .cannotRead(let number):
            try line.append("cannot read it", systemError: number)
        case .cannotMake(let number):
            try line.append("cannot create it", systemError: number)
            if number == CLINUX_ENOENT { try line.append("; create the directory first") }
        case .notPrivate:
            try line.append(
                "other users can read it; run chmod 600, or move it away for a new one if somebody did")
        case .root:
            try line.append(
                "a root secret, but a board keeps day keys only; move it to a safe ")
            try line.append("place and run tabardctl provision --scheme ")
            try line.append(secret == .herald ? "herald" : "covid-tracer" as StaticString)
        case .damaged:
            try line.append("not a Tabard record, or damaged; provision it again, or move it away")
        }
    }

    private func describe(_ error: FlashFileError, to line: inout FixedBuffer<1024>) throws(CapacityError) {
        switch error {
        case .cannotOpen(let number):
            try line.append("cannot open it", systemError: number)
            switch Int(number) {
            case CLINUX_ENOENT: try line.append("; create the directory first, or give an existing device")
            case CLINUX_EBUSY: try line.append("; unmount it first")
            case CLINUX_ENODEV: try line.append("; give a file, a block device or an MTD character device")
            default: break
            }
        case .inUse: try line.append("another agent is using it; stop that agent first")
        case .cannotAllocate(let number):
            try line.append("cannot create it", systemError: number)
            if number == CLINUX_ENOSPC || number == CLINUX_EFBIG {
                try line.append("; lower log.size_mebibytes")
            }
        case .tooSmall: try line.append("too small or of the wrong kind for a log; choose another")
        }
    }

    private func describe(_ error: LogError, to line: inout FixedBuffer<1024>) throws(CapacityError) {
        switch error {
        case .mediumHoldsSomethingElse:
            try line.append(
                "not a Tabard log, and not changed; choose another path")
        case .geometryMismatch: try line.append("has another geometry; move the file away")
        case .unsupportedVersion(let version):
            try line.append("has format version ")
            try line.append(decimal: version)
            try line.append(", which this tabard cannot read; use a newer tabard")
        case .unsupportedFlags:
            try line.append("uses features that this tabard cannot read; use a newer tabard")
        case .flash(let error):
            try line.append("the medium failed", systemError: error.code)
        case .eraseHadNoEffect: try line.append("the medium does not erase and may be worn out; replace it")
        case .noMemory: try line.append("not enough memory for a page; free some memory")
        case .blocksTooSmallToSeal:
            try line.append("its blocks are too small for encrypted pages; move the file away")
        case .cannotSeal: try line.append("cannot create a key to encrypt it; try again")
        default:
            try line.append("damaged; look at it with tabardctl inspect FILE, then move it away")
        }
    }

    private func describeAdapters(to line: inout FixedBuffer<1024>) throws(CapacityError) {
        try line.append("no such adapter; ")
        guard let adapters = try? AdapterList.ofKernel(), !adapters.isEmpty else {
            try line.append("the kernel has none; look for Bluetooth in dmesg")
            return
        }
        try line.append("the kernel has ")
        try adapters.write(to: &line)
        try line.append("; set radio.hci to one of them, or plug the adapter in")
    }

    private func describeRadio(
        _ number: Int32, _ name: TransportName, to line: inout FixedBuffer<1024>
    ) throws(CapacityError) {
        guard case .hciSocket = name else {
            try line.append("cannot open it", systemError: number)
            return
        }
        switch Int(number) {
        case CLINUX_EBUSY, CLINUX_EUSERS:
            try line.append("another program uses the adapter; stop bluetoothd (systemctl stop bluetooth), ")
            try line.append("or take it down (btmgmt power off)")
        case CLINUX_EPERM, CLINUX_EACCES:
            try line.append("permission denied; run as root or with CAP_NET_ADMIN")
        case CLINUX_ENODEV, CLINUX_EAGAIN: try describeAdapters(to: &line)
        case CLINUX_ERFKILL:
            try line.append("the adapter is blocked; unblock it with: rfkill unblock bluetooth")
        case CLINUX_EAFNOSUPPORT:
            try line.append("this kernel has no Bluetooth; load its module or choose another transport")
        default:
            try line.append("cannot open it", systemError: number)
        }
    }
}
