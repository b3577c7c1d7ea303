import HCI

/// The effects of faults, apart from those on single packets.
extension SimulatedController {
    private static let hardwareErrorCode: UInt8 = 0x42
    private static let hardwareErrorPause = SimulatedDuration.seconds(1)

    func faultBegan(_ fault: ControllerFault) {
        switch fault {
        case .hardwareError: breakDown()
        case .vanishedAdapter:
            if transport.kind == .packets { transport.lose() }
            forgetEverything()
            updateAir()
        case .eventFlood: setAlarm(ControllerAlarm.flood, at: world.now)
        case .silence, .duplicateFilter: updateAir()
        default: break
        }
    }

    func faultCured(_ fault: ControllerFault) {
        if fault == .wedgeWhenConnecting { isWedged = false }
        updateAir()
    }

    enum ControllerAlarm {
        static let flood = Station.Alarm.first
        static let hardwareError = Station.Alarm.first + 1
        static let heldReports = Station.Alarm.first + 2
    }

    func faultWake(_ alarm: UInt32) {
        switch alarm {
        case ControllerAlarm.flood where faults.has(.eventFlood): flood()
        case ControllerAlarm.hardwareError where faults.has(.hardwareError): breakDown()
        default: break
        }
    }

    /// Clears all state and reports a Hardware Error. Only a reset helps.
    private func breakDown() {
        let mask = (settings.eventMask, settings.lowEnergyEventMask)
        forgetEverything()
        (settings.eventMask, settings.lowEnergyEventMask) = mask
        event(0x10, [Self.hardwareErrorCode])
    }

    /// Schedules another Hardware Error, because a reset was answered while the cause persists.
    func resetWhileBroken() {
        setAlarm(ControllerAlarm.hardwareError, at: world.now + Self.hardwareErrorPause)
    }

    // MARK: Commands

    /// Whether a command gets no answer at all.
    func isIgnored(_ opCode: OpCode) -> Bool {
        guard isWedged || faults.isAny else { return false }
        if faults.has(.vanishedAdapter) { return true }
        let action: FaultCure = opCode == .reset ? .reset : .byItself
        if isWedged { return !faults.isCurable(.wedgeWhenConnecting, by: action) }
        return faults.has(.commandTimeout) && !faults.isCurable(.commandTimeout, by: action)
    }

    /// Whether a fault refuses a command that would be valid otherwise.
    func isRefusedByFault(_ opCode: OpCode) -> Bool {
        guard faults.isAny else { return false }
        switch opCode {
        case .reset: return false
        case .leSetRandomAddress, .leSetAdvertisingSetRandomAddress:
            return faults.has(.disallowedAddress) || faults.has(.hardwareError)
        case .leSetScanParameters, .leSetAdvertisingParameters, .leSetAdvertisingData,
            .leSetExtendedScanParameters, .leSetExtendedAdvertisingParameters, .leSetExtendedAdvertisingData:
            return faults.has(.disallowedParameters) || faults.has(.hardwareError)
        default: return faults.has(.hardwareError)
        }
    }

    /// The additional delay of an answer; nil if the answer never comes.
    func delayOfAnswer() -> SimulatedDuration? {
        guard faults.has(.crowdedReplies) else { return .zero }
        if faultRandom.chance(0.05) { return nil }
        return faultRandom.duration(upTo: .milliseconds(1_500))
    }

    // MARK: Floods

    private func flood() {
        let step = SimulatedDuration.milliseconds(1)
        floodDebt += faults.floodPerSecond
        while floodDebt >= 1_000 {
            floodDebt -= 1_000
            if let adverts = faults.floodAdverts {
                faults.floodAdvertCount += 1
                if settings.isScanning { report(adverts.advert(faults.floodAdvertCount), rssiDBm: -40) }
            } else if faultRandom.below(16) == 0 {
                send([4, 0xff, 4, 1, 2, 3, 4], after: profile.reportDelay)
            } else {
                let address = DeviceAddress(value: faultRandom.next() & 0x3fff_ffff_ffff, isRandom: true)
                let length = Int(faultRandom.below(32))
                let data = faultRandom.bytes(length)
                if settings.isScanning, !faults.has(.silence) {
                    report(
                        Advertisement(address: address, kind: .nonConnectable, data: data),
                        rssiDBm: -30 - Int8(faultRandom.below(70)))
                }
            }
        }
        setAlarm(ControllerAlarm.flood, at: world.now + step)
    }
}
