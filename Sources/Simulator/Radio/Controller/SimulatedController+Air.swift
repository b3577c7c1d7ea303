import HCI

/// The effect of the host's settings on the station.
extension SimulatedController {
    /// Applies the host's settings to the station.
    func updateAir() {
        if settings.isAdvertising, let address = advertisingAddress {
            truth.addresses.insert(address)
            let kind: UInt8 = [0, 1, 2, 3, 1][Int(settings.advertisingType)]
            advertise(
                Advertisement(
                    address: address, kind: AdvertisingReportKind(rawValue: kind),
                    data: settings.advertisingData, scanResponse: settings.scanResponseData),
                every: .slots(settings.advertisingInterval))
        } else {
            stopAdvertising()
        }
        if isDeaf {
            scanning = nil
        } else if settings.isScanning {
            listen(settings.scanInterval, settings.scanWindow, wanted: nil)
        } else if let attempt = settings.attempt {
            listen(attempt.scanInterval, attempt.scanWindow, wanted: attempt.peer)
        } else {
            scanning = nil
        }
        truth.recordScanning(settings.isScanning && scanning != nil, at: world.now)
        let share = scanning.map { $0.window.seconds / $0.interval.seconds } ?? 0
        truth.recordListening(
            share: isPresent ? share : 0, isScan: scanning?.wanted == nil, at: world.now)
        truth.recordAdvertising(settings.isAdvertising, at: world.now)
    }

    private func listen(_ interval: UInt16, _ window: UInt16, wanted: DeviceAddress?) {
        let (interval, window) = (SimulatedDuration.slots(interval), SimulatedDuration.slots(window))
        if let scanning, scanning.interval == interval, scanning.window == window, scanning.wanted == wanted {
            return
        }
        scanning = Scanning(interval: interval, window: window, start: world.now, wanted: wanted)
    }

    /// The share of the time for which a scan with the host's parameters listens.
    var scanShare: Double { Double(settings.scanWindow) / Double(settings.scanInterval) }

    func ownAddress(_ isRandom: Bool) -> DeviceAddress? {
        isRandom ? settings.randomAddress : profile.publicAddress
    }

    /// The advertising address. An advertising set has a random address of its own.
    var advertisingAddress: DeviceAddress? {
        settings.takesExtended == true && settings.advertisingUsesRandomAddress
            ? settings.setAddress : ownAddress(settings.advertisingUsesRandomAddress)
    }
}
