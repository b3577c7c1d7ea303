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
        case .silence, .muteScan, .duplicateFilter: updateAir()
        case _ where fault.isOfMoments: mishap(fault)
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
        static let earlyData = Station.Alarm.first + 3
        /// The first of the alarms for mishaps; each fault has its own.
        static let firstMishap = Station.Alarm.first + 0x100
    }

    func faultWake(_ alarm: UInt32) {
        switch alarm {
        case ControllerAlarm.flood where faults.has(.eventFlood): flood()
        case ControllerAlarm.hardwareError where faults.has(.hardwareError): breakDown()
        default:
            guard alarm >= ControllerAlarm.firstMishap,
                let fault = ControllerFault(
                    rawValue: UInt8(truncatingIfNeeded: alarm - ControllerAlarm.firstMishap)),
                faults.has(fault)
            else { return }
            mishap(fault)
        }
    }

    /// Lets a fault of moments happen once, and plans the next time.
    private func mishap(_ fault: ControllerFault) {
        var pause = SimulatedDuration.seconds(1)
        switch fault {
        case .amnesia, .restart:
            let lost = untoldHandles.union(handles.map(\.handle))
            forgetEverything()
            untoldHandles = lost
            if fault == .restart { event(0x0e, [1, 0, 0]) }
            pause = .seconds(70)
        case .scanEnds:
            settings.isScanning = false
            updateAir()
            pause = .seconds(70)
        case .strangersAnswers:
            let opCode = [0x18, 0xfc] as [UInt8]
            if faultRandom.chance(0.5) {
                event(0x0e, [0] + opCode + [0])
            } else {
                event(0x0f, [0, 0] + opCode)
            }
        case .foreignPackets:
            // A synchronous packet, an isochronous one and Broadcom's diagnostics, each with a Hardware Error
            // event in its content.
            let content = [4, 0x10, 1, 0x42] as [UInt8]
            let packet =
                switch faultRandom.below(3) {
                case 0: [3, 0, 0, 4] + content
                case 1: [5, 0, 0, 4, 0] + content
                default: [7] + content + [UInt8](repeating: 0, count: 59)
                }
            send(packet, after: profile.reportDelay)
        case .failedIncoming:
            settings.isAdvertising = false
            updateAir()
            event(0x3e, [1, 0x3e] + [UInt8](repeating: 0, count: 17))
            pause = .seconds(20)
        default: break
        }
        let length = pause + faultRandom.duration(upTo: pause)
        setAlarm(ControllerAlarm.firstMishap + UInt32(fault.rawValue), at: world.now + length)
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
        case .leCreateConnection, .leExtendedCreateConnection:
            return faults.has(.refusedConnecting) || faults.has(.hardwareError)
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

    /// Whether the controller receives nothing in a scan.
    var isDeaf: Bool { faults.has(.silence) || faults.has(.muteScan) || isWedged }

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
                if settings.isScanning, !isDeaf {
                    report(
                        Advertisement(address: address, kind: .nonConnectable, data: data),
                        rssiDBm: -30 - Int8(faultRandom.below(70)))
                }
            }
        }
        setAlarm(ControllerAlarm.flood, at: world.now + step)
    }
}
