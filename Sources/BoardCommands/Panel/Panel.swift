import Agent
import BoardCommandLine
import BoardPanel
import CLinux
import DeviceSync
import EncounterLog
import FixedMemory
import LinuxPlatform

/// Connects the board's light, button and battery with the agent.
///
/// The panel wakes for each change of the light, the button or the line. It asks the agent each five seconds,
/// and reads the battery each minute.
struct Panel: ~Copyable {
    private static let statusInterval = Interval.seconds(5)

    private let readiness: Readiness
    private let stopsOnHold: Bool
    private var light: Light?
    private var buttons: Buttons
    private var battery: BatteryMonitor
    private var show = LightShow()
    private var presses = ButtonPresses()
    private var watch = PanelWatch()
    private var answer: FixedArray<UInt8>
    private var statusQuestion: Question
    private var markQuestion: Question
    private var batteryQuestion: Question
    private var nextStatus = Instant.start
    private var isStopping = false

    init(
        _ devices: PanelDevices, _ options: PanelOptions, _ files: SystemFiles, readiness: Readiness
    ) throws(MemoryError) {
        self.readiness = readiness
        stopsOnHold = options.stopsOnHold
        light = devices.light
        buttons = devices.buttons
        battery = BatteryMonitor(devices, options, files)
        answer = try FixedArray(zeroed: SMPPacket.capacity)
        statusQuestion = Question(options.socket("/status"))
        markQuestion = Question(options.socket("/control"))
        batteryQuestion = Question(options.socket("/control"))
    }

    /// - Returns: when to call again at the latest.
    mutating func step(now: Instant) -> Instant {
        takePresses(now: now)
        takeAnswers(now: now)
        askForStatus(now: now)
        lookAtBattery(now: now)
        let lightChange = showLight(now: now)
        let answers = min(
            statusQuestion.deadline, min(markQuestion.deadline, batteryQuestion.deadline))
        return min(min(lightChange, answers), min(presses.deadline, min(nextStatus, battery.deadline)))
    }

    mutating func end() { light?.release() }

    // MARK: The button

    private mutating func takePresses(now: Instant) {
        while let isDown = buttons.next() {
            switch presses.change(isDown: isDown, now: now) {
            case nil: break
            case .short: markMoment(now: now)
            case .held: hold(now: now)
            }
        }
        if presses.takeHold(now: now) { hold(now: now) }
    }

    private mutating func markMoment(now: Instant) {
        guard !markQuestion.isOpen else { return }
        if !markQuestion.begin(.mark(.button), readiness: readiness, now: now) {
            show.answer(isDone: false, now: now)
        }
    }

    private mutating func hold(now: Instant) {
        guard stopsOnHold else { return markMoment(now: now) }
        powerOff("the button is held", now: now)
    }

    private mutating func powerOff(_ reason: StaticString, now: Instant) {
        let status = clinux_power_off()
        show.answer(isDone: status >= 0, now: now)
        Output.error { line throws(CapacityError) in
            try line.append(reason)
            guard status < 0 else { return try line.append(": the board powers off") }
            try line.append(": the board cannot be powered off", systemError: -status)
            try line.append("; run the panel as the service tabard-panel")
        }
    }

    // MARK: The agent

    private mutating func askForStatus(now: Instant) {
        guard now >= nextStatus, !statusQuestion.isOpen else { return }
        nextStatus = now + Self.statusInterval
        if !statusQuestion.begin(.status, readiness: readiness, now: now) {
            show.show(watch.state(of: nil), now: now)
        }
    }

    private mutating func takeAnswers(now: Instant) {
        if statusQuestion.isOpen, let count = statusQuestion.takeAnswer(into: &answer, now: now) {
            let status = Self.status(in: answer.span.extracting(0..<count))
            show.show(watch.state(of: status), now: now)
        }
        if markQuestion.isOpen, let count = markQuestion.takeAnswer(into: &answer, now: now) {
            show.answer(isDone: isDone(count), now: now)
        }
        if batteryQuestion.isOpen, let count = batteryQuestion.takeAnswer(into: &answer, now: now),
            !isDone(count)
        {
            battery.retry(now: now)
        }
    }

    private func isDone(_ count: Int) -> Bool { count == 1 && answer[0] == BoardAnswer.done.rawValue }

    /// The status in an answer; nil if it is none.
    private static func status(in answer: Span<UInt8>) -> BoardStatus? {
        do throws(SyncResponseError) {
            return try SyncResponse(answer, to: SyncRequest.boardStatus(sequence: 0)).boardStatus()
        } catch {
            return nil
        }
    }

    // MARK: The battery

    private mutating func lookAtBattery(now: Instant) {
        guard let reading = battery.look(now: now) else { return }
        if !batteryQuestion.begin(.battery(reading), readiness: readiness, now: now) {
            battery.retry(now: now)
        }
        guard battery.isExhausted, !isStopping else { return }
        isStopping = true
        powerOff("the battery is empty", now: now)
    }

    // MARK: The light

    /// - Returns: when the light changes next.
    private mutating func showLight(now: Instant) -> Instant {
        guard light != nil else { return .distantFuture }
        let (isOn, change) = show.light(now: now)
        light?.set(isOn)
        return change
    }
}
