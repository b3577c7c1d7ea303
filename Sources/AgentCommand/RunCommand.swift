import Agent
import BoardCommandLine
import CLinux
import Configuration
import Cryptography
import EncounterLog
import FixedMemory
import LinuxPlatform
import ProductVersion
import Radio
import Schemes

/// The command `tabard run`: opens all devices, makes the agent and runs it.
enum RunCommand {
    /// At boot the kernel initialises the adapter for some seconds. Meanwhile it reports "busy" or no
    /// address.
    private static let busyAttempts = 20
    private static let busyPause = Interval.milliseconds(500)

    static func run(_ arguments: inout Arguments) -> Int32 {
        var exitCode = ExitCode.success
        let words = arguments
        guard let configuration = ConfigurationLoader.load(&arguments, exitCode: &exitCode) else {
            return exitCode
        }
        do throws(StartFailure) {
            return try run(configuration, words)
        } catch {
            Output.error { line throws(CapacityError) in try error.describe(to: &line, configuration.values) }
            return error.exitCode
        }
    }

    /// - Parameter words: the command line, for reading the configuration anew.
    private static func run(
        _ effective: EffectiveConfiguration, _ words: Arguments
    ) throws(StartFailure) -> Int32 {
        let configuration = effective.values
        let clock = LinuxClock()
        // Its configuration may be in part the other board's.
        if try CopiedCard.moveAway(configuration) { return ExitCode.restart }
        let readiness = try mappingSystemErrors { () throws(SystemError) in try Readiness() }
        // Validation has ensured that `keysFile` is not nil.
        let keyFile = BoardKeyFile(path: configuration.keysFile ?? configuration.keys.path)
        let secrets = SecretFiles(
            herald: configuration.herald.secret,
            covidTracer: configuration.file(besideKeysWith: ".covid-tracer"),
            sonar: configuration.file(besideKeysWith: ".sonar"))
        var board = try mappingSystemErrors { () throws(SystemError) in
            try LinuxBoard(
                power: configuration.radio.power, of: configuration.radio.hci, keyFile: keyFile,
                secrets: secrets, changesFile: configuration.changesFile, readiness: readiness)
        }
        var random = LinuxRandom(clock: clock, readiness: readiness)
        let flash = try openFlash(configuration.log)
        let keys = try loadKeys(keyFile)
        let log = try openLog(flash, keys, random: &random)
        if !log.isSealed {
            Output.error { line throws(CapacityError) in
                try line.append(
                    "the log is not encrypted, so anyone with the board can read it; run tabardctl provision"
                )
            }
        }
        var settings: AgentSettings
        do throws(HeraldPayloadError) {
            settings = try AgentSettings(
                configuration, logIdentity: log.logIdentity, softwareVersion: ProductVersion.bytes)
        } catch {
            throw .payload
        }
        try check(secrets, configuration)
        if configuration.schemes.sonar == .on { settings.schemes.sonar = try registration(secrets) }
        settings.keys = keys
        settings.configuration = effective
        let serial = try openSerial(configuration.sync, readiness: readiness)
        var radio = try makeRadio(configuration, readiness: readiness)
        if configuration.isSetUp {
            try open(&radio, configuration, board: &board, readiness: readiness, clock: clock)
        } else {
            Output.error { line throws(CapacityError) in
                try line.append("not set up: the radio stays off; run tabardctl setup with the sync port")
            }
        }
        var agent = try makeAgent(settings, clock, board, radio, serial, random, log)
        MemoryProtection.apply()
        while let deadline = agent.step() {
            if agent.takeReloadRequest(), isReadable(words) {
                agent.endForReload()
                continue
            }
            readiness.wait(until: deadline, clock: clock)
        }
        if agent.ending == .radioLost { throw .radioLost(agent.radioStatus.rungs) }
        switch agent.ending {
        case .configured: return ExitCode.restart
        // The service manager starts the launcher, and that starts the update.
        case .updated: return ExitCode.tryAgain
        default: return ExitCode.success
        }
    }

    /// Whether the configuration can be read anew. Otherwise the agent keeps its present one.
    private static func isReadable(_ words: Arguments) -> Bool {
        var (words, exitCode) = (words, ExitCode.success)
        let isRead = ConfigurationLoader.load(&words, exitCode: &exitCode) != nil
        Output.error { line throws(CapacityError) in
            try line.append(
                isRead
                    ? "reload: the agent starts again with the configuration as it is now"
                    : "reload: the agent keeps its present configuration" as StaticString)
        }
        return isRead
    }

    private static func makeAgent(
        _ settings: AgentSettings, _ clock: LinuxClock, _ board: LinuxBoard, _ radio: consuming LinuxRadio,
        _ serial: consuming LinuxSerialPort, _ random: LinuxRandom, _ log: consuming EncounterLog<FlashFile>
    ) throws(StartFailure) -> Agent<LinuxPlatform> {
        do throws(MemoryError) {
            return try Agent(
                settings: settings, clock: clock, board: board, radio: radio, serial: serial, random: random,
                log: log)
        } catch {
            throw .memory
        }
    }

    private static func mappingSystemErrors<Result>(
        _ body: () throws(SystemError) -> Result
    ) throws(StartFailure) -> Result {
        do throws(SystemError) { return try body() } catch { throw .system(error.number) }
    }

    /// Call this when the random generator is ready and the log file is locked. The lock keeps other agents
    /// from making keys at the same time.
    private static func loadKeys(_ file: BoardKeyFile) throws(StartFailure) -> BoardKeys {
        do throws(BoardKeyFileError) { return try file.load(entropy: .system) } catch { throw .keys(error) }
    }

    /// Checks that the key files of enabled schemes are readable if they exist. The agent creates missing
    /// ones.
    private static func check(
        _ secrets: SecretFiles, _ configuration: AgentConfiguration
    ) throws(StartFailure) {
        if configuration.agent.role == .wearable {
            do throws(SecretFileError) { try secrets.check(.herald) } catch { throw .secret(.herald, error) }
        }
        if configuration.schemes.covidTracer == .on {
            do throws(SecretFileError) { try secrets.check(.covidTracer) } catch {
                throw .secret(.covidTracer, error)
            }
        }
    }

    private static func registration(_ secrets: SecretFiles) throws(StartFailure) -> SonarRegistration? {
        let registration: SonarRegistration?
        do throws(SecretFileError) { registration = try secrets.sonarRegistration() } catch {
            throw .secret(.sonar, error)
        }
        if registration == nil {
            Output.error { line throws(CapacityError) in
                try line.append(
                    "schemes.sonar: no registration; give one with tabardctl provision --scheme sonar")
            }
        }
        return registration
    }

    private static func openLog(
        _ flash: consuming FlashFile, _ keys: BoardKeys, random: inout LinuxRandom
    ) throws(StartFailure) -> EncounterLog<FlashFile> {
        let (identity, bootIdentifier) = (random.nextBlock(), random.next())
        do throws(LogError) {
            return try EncounterLog(
                mounting: flash, newLogIdentity: identity, bootIdentifier: bootIdentifier,
                seal: keys.logSeal(entropy: random.entropy))
        } catch {
            throw .log(error)
        }
    }

    private static func openFlash(_ settings: AgentConfiguration.Log) throws(StartFailure) -> FlashFile {
        let byteCount = settings.newLogByteCount
        do throws(FlashFileError) {
            let flash = try FlashFile(path: settings.path, byteCount: byteCount)
            let found = flash.geometry.byteCount
            if settings.sizeMebibytes > 0, UInt64(truncatingIfNeeded: found) != byteCount {
                Output.error { line throws(CapacityError) in
                    try line.append("log.size_mebibytes: the existing log keeps its ")
                    try line.append(decimal: found >> 20)
                    try line.append(" MiB; move it away to create one of another size")
                }
            }
            return flash
        } catch {
            throw .logFile(error)
        }
    }

    private static func openSerial(
        _ settings: AgentConfiguration.Sync, readiness: Readiness
    ) throws(StartFailure) -> LinuxSerialPort {
        do throws(SystemError) {
            let serial = try LinuxSerialPort(settings.port, baud: settings.baud, readiness: readiness)
            if settings.port != .off {
                let isWaiting = serial.isWaiting
                Output.error { line throws(CapacityError) in
                    try line.append("sync on ")
                    try settings.port.write(to: &line)
                    if isWaiting { try line.append("; waiting for it") }
                }
            }
            return serial
        } catch {
            throw .serial(error.number)
        }
    }

    private static func open(
        _ radio: inout LinuxRadio, _ configuration: AgentConfiguration, board: inout LinuxBoard,
        readiness: Readiness, clock: LinuxClock
    ) throws(StartFailure) {
        var attempt = 1
        while true {
            do throws(SystemError) {
                try radio.open()
                return
            } catch {
                if mayComeLate(error.number) {
                    let failure = StartFailure.radio(error.number)
                    Output.error { line throws(CapacityError) in
                        try failure.describe(to: &line, configuration)
                        try line.append("; waiting for it")
                    }
                    return
                }
                // EAGAIN means that the adapter's address is not known yet, or that a UNIX socket's queue is
                // full.
                guard error.number == CLINUX_EBUSY || error.number == CLINUX_EAGAIN, attempt < busyAttempts
                else { throw .radio(error.number) }
                if board.isStopRequested { throw .stopped }
                attempt += 1
                readiness.wait(until: clock.now + busyPause, clock: clock)
            }
        }
    }

    /// Whether the controller may only be late: its device or socket is not there yet, or the kernel has no
    /// adapter at all. The agent starts without it, and serves its log meanwhile. If the kernel has others,
    /// the adapter's name may be wrong.
    private static func mayComeLate(_ number: Int32) -> Bool {
        switch Int(number) {
        case CLINUX_ENOENT, CLINUX_ETIMEDOUT, CLINUX_ECONNREFUSED: true
        case CLINUX_ENODEV: (try? AdapterList.ofKernel())?.isEmpty == true
        default: false
        }
    }

    private static func makeRadio(
        _ configuration: AgentConfiguration, readiness: Readiness
    ) throws(StartFailure) -> LinuxRadio {
        do throws(SystemError) {
            return try LinuxRadio(
                configuration.radio.hci, snoopPath: configuration.snoop.file, readiness: readiness)
        } catch {
            throw .snoop(error.number)
        }
    }
}
