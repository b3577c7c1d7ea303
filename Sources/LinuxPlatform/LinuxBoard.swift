import Agent
import AgentText
import CLinux
import Configuration
import FixedMemory
import Schemes

/// The board's signals, its log lines on standard error, and the controller's power.
public struct LinuxBoard: BoardControl, Sendable {
    private let signals: Int32
    private let power: RadioPowerName
    private let controller: TransportName
    private var adapterSwitch = AdapterSwitch()
    private let keyFile: BoardKeyFile
    private let secrets: SecretFiles
    private let changesFile: FixedText<256>?
    private var serviceManager = ServiceManager()
    private var sockets = ServiceSockets()
    private var updates = UpdateFiles()
    public let updateSlot = UInt8(exactly: clinux_launched_slot())
    public private(set) var isOnTrial = clinux_is_on_trial()
    private var isReloadRequested = false

    /// - Parameters:
    ///   - power: The way to switch the power of `controller`.
    ///   - changesFile: The file for configuration changes set over the sync port; nil if the board has none.
    public init(
        power: RadioPowerName, of controller: TransportName, keyFile: BoardKeyFile,
        secrets: SecretFiles, changesFile: FixedText<256>?, readiness: Readiness
    ) throws(SystemError) {
        self.power = power
        self.controller = controller
        self.keyFile = keyFile
        self.secrets = secrets
        self.changesFile = changesFile
        signals = try SystemError.check(clinux_signal_descriptor())
        try readiness.add(signals)
    }

    /// Whether SIGTERM or SIGINT has arrived.
    public var isStopRequested: Bool {
        mutating get {
            let signal = clinux_read_signal(signals)
            if signal == CLINUX_SIGHUP { isReloadRequested = true }
            return signal > 0 && signal != CLINUX_SIGHUP
        }
    }

    public mutating func takeReloadRequest() -> Bool {
        defer { isReloadRequested = false }
        return isReloadRequested
    }

    public mutating func tell(_ condition: AgentCondition, isWell: Bool, now: Instant) {
        serviceManager.tell(condition, isWell: isWell, now: now)
    }

    public mutating func takeRequest() -> BoardRequest? { sockets.takeRequest() }

    public mutating func answer(_ answer: Span<UInt8>) { sockets.answer(answer) }

    public var architecture: Bytes<16> { Processor.name }

    public mutating func beginUpdate() -> Bool { updates.begin() }
    public mutating func append(update piece: Span<UInt8>) -> Bool { updates.append(piece) }
    public mutating func finishUpdate(version: Bytes<3>, operatorKey: Bytes<65>) -> Bool {
        updates.finish(version: version, operatorKey: operatorKey)
    }

    public mutating func confirmUpdate() -> Bool {
        // A medium that always refuses leaves the trial open, and the launcher's time limit ends this agent.
        guard updates.confirm() else { return false }
        clinux_end_trial()
        isOnTrial = false
        return true
    }

    public mutating func setRadioPower(_ isOn: Bool) -> Bool {
        switch power {
        case .off: return false
        case .rfkill:
            guard case .hciSocket(let adapter) = controller else { return false }
            return adapterSwitch.turn(on: isOn, find: { try? adapter.number() }) {
                clinux_rfkill($0, $1 ? 0 : 1) >= 0
            }
        case .rebind(let driver, let device):
            let status = driver.withCString { driver in
                device.withCString { clinux_bind_driver(driver, $0, isOn ? 1 : 0) }
            }
            // ENODEV means nothing is bound, as after a failed bind. The device counts as off and can be
            // bound again.
            return status >= 0 || !isOn && status == -Int32(CLINUX_ENODEV)
        }
    }

    public mutating func store(_ keys: BoardKeys) -> Bool {
        do throws(BoardKeyFileError) { try keyFile.store(keys) } catch { return false }
        return true
    }

    public mutating func store(configuration changes: Span<UInt8>) -> Bool {
        guard let changesFile else { return false }
        let status = changesFile.withCString { path in
            changes.withUnsafeBytes { clinux_make_private(path, $0.baseAddress, $0.count) }
        }
        return status >= 0
    }

    public mutating func store(_ keys: DayKeys) -> Bool { secrets.store(keys) }

    public mutating func dayKey(
        of scheme: SchemeID, on day: UInt32, erasingBefore current: UInt32
    ) -> DayKeyOffer? {
        secrets.dayKey(of: scheme, on: day, erasingBefore: current)
    }

    public mutating func store(sonarRegistration record: Span<UInt8>) -> Bool {
        secrets.store(sonarRegistration: record)
    }

    public mutating func copySecrets(of scheme: SchemeID, to record: inout FixedBuffer<2048>) -> Bool {
        secrets.copy(scheme, to: &record)
    }

    public mutating func report(_ notice: AgentNotice) {
        var line = FixedBuffer<1024>()
        // The longest fits.
        try? notice.write(to: &line)
        StandardError.write(line.span, level: notice.level)
    }

    public func explain(_ refusal: StoreRefusal, to reason: inout FixedBuffer<1024>) {
        try? refusal.write(to: &reason)
    }
}

/// Whole lines on standard error, each in one write, so that they never mix with lines of other processes.
public enum StandardError {
    /// - Parameter level: the line's level in the journal, if that is where standard error goes.
    public static func write(_ line: Span<UInt8>, level: NoticeLevel = .notice) {
        var text = FixedBuffer<1100>()
        if clinux_writes_to_journal() {
            try? text.append("<")
            try? text.append(UInt8(ascii: "0") + level.rawValue)
            try? text.append(">")
        }
        try? text.append("tabard: ")
        try? text.append(line)
        try? text.append(UInt8(ascii: "\n"))
        text.span.withUnsafeBufferPointer { _ = clinux_write(2, $0.baseAddress, $0.count) }
    }
}
