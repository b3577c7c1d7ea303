import Agent
import Configuration
import EncounterLog
import FixedMemory
import FlashSimulator
import Schemes

/// The parts of the agent, and the board's answers to its requests.
extension SimulatedBoard {
    /// The day key that the owner provisioned; nil if the board has none.
    func dayKey(of scheme: SchemeID, on day: UInt32) -> DayKeyOffer? {
        var offer = DayKeyOffer()
        switch scheme {
        case .herald: offer.key = try? schedule.matchingKey(ofDay: day).key
        case .covidTracer:
            offer.key = try? setup.covidTracerRoot?.dailyKey(of: CalendarDate(daysSince1970: day)).bytes
        case .sonar, .bleProximity, .exposureNotification, .robert, .dp3t, .tcn: break
        }
        offer.dayCount = DayKeys.maximumDayCount
        return offer.key == nil ? nil : offer
    }

    func makeAgent() throws(BoardStartFailure) -> Agent<SimulatedPlatform> {
        var configuration: EffectiveConfiguration
        do {
            configuration = try setup.configuration()
            let changes = store?.configurationChanges ?? configurationChanges
            try configuration.read(changes.span, as: .changes)
            try configuration.validate()
        } catch {
            throw .configuration("\(error)")
        }
        var identity = Bytes<16>()
        for index in 0..<16 { identity[index] = UInt8(truncatingIfNeeded: entropy.next()) }
        bootIdentifier = entropy.next()
        identity = setup.logIdentity ?? identity
        bootIdentifier = setup.bootIdentifier ?? bootIdentifier
        var version = Bytes<3>()
        version[1] = 1
        medium.willBeMounted()
        do {
            let log = try EncounterLog(
                mounting: MeteredFlash(medium), newLogIdentity: identity, bootIdentifier: bootIdentifier,
                seal: logSeal)
            var settings = try AgentSettings(
                configuration.values, logIdentity: log.logIdentity, softwareVersion: version)
            settings.keys = store?.keys ?? keys?.boardKeys
            if configuration.values.schemes.sonar == .on { settings.schemes.sonar = setup.schemes.sonar }
            settings.configuration = configuration
            if let capacity = setup.entryCapacity { settings.recorder.entryCapacity = capacity }
            try? controller.transport.open()
            return try Agent(
                settings: settings, clock: SimulatedClock(clock: clock),
                board: SimulatedBoardControl(board: self), radio: SimulatedRadio(controller.transport),
                serial: SimulatedSerialPort(line),
                random: SimulatedEntropy(stream: RandomStream(seed: entropy.next()), source: keyEntropy),
                log: log)
        } catch let error as LogError {
            throw .log(error)
        } catch is MemoryError {
            throw .memory
        } catch {
            throw .configuration("\(error)")
        }
    }

    private var logSeal: LogSeal? {
        if let store { return store.keys?.logSeal(entropy: keyEntropy.entropy) }
        guard let keys else { return nil }
        return keys.boardKeys.logSeal(entropy: keys.entropy)
    }

    // MARK: Calls from the platform

    func setRadioPower(_ isOn: Bool) -> Bool {
        guard setup.hasRadioPower else { return false }
        if controller.transport.isOpen {
            controller.recordViolation("power switched with the transport open")
        }
        if let store {
            guard let works = store.switchesPower(isOn) else { return !isOn }
            guard works else { return false }
        }
        isRadioPowered = isOn
        controller.switchPower(isOn)
        return true
    }

    func record(_ notice: AgentNotice) {
        notices.append(notice)
        onNotice?(notice)
        onLine?(notice.text)
    }
}
