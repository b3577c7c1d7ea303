import FixedMemory

extension EffectiveConfiguration {
    /// Refuses values that are valid individually but contradict each other. Call it after all values have
    /// been set.
    public func validate() throws(ConfigurationError) {
        try require(values.radio.scan || values.radio.advertise, .nothingToDo, at: .advertise)
        try require(
            values.radio.scanWindowMilliseconds <= values.radio.scanIntervalMilliseconds,
            .scanWindowAboveInterval, at: .scanWindow)
        try validateDuty()
        let hasClient = values.herald.clientIdentifier != nil
        try require(values.isSetUp || values.sync.port != .off, .locationMissing, at: .location)
        let textByteCount = values.herald.extendedDataByteCount
        try require(textByteCount <= 501, .textsTooLong(byteCount: textByteCount), at: .name)
        if hasClient {
            try require(values.agent.role == .beacon, .clientOfWearable, at: .clientIdentifier)
            try require(
                values.herald.location == nil && textByteCount == 0, .clientOfVenue, at: .clientIdentifier)
        }
        try require(
            values.encounters.sampleSeconds <= values.encounters.gapSeconds, .sampleAboveGap, at: .sample)
        try require(
            values.log.lossWindowSeconds >= values.encounters.sampleSeconds, .lossWindowBelowSample,
            at: .lossWindow)
        if case .serial(let controller, _, _) = values.radio.hci, case .device(let port) = values.sync.port {
            try require(port != controller, .syncPortIsController, at: .syncPort)
        }
        try require(values.snoop.file != values.log.path, .snoopFileIsLog, at: .snoopFile)
        guard let keysFile = values.keysFile else {
            throw ConfigurationError(.keysFileMissing, origin: origin(of: .keysPath), key: .keysPath)
        }
        try require(
            keysFile != values.log.path && keysFile != values.snoop.file && keysFile != values.herald.secret,
            .keyFileCollides, at: .keysPath)
        if values.agent.role == .wearable {
            try require(values.agent.position == nil, .positionOfWearable, at: .position)
            try require(values.radio.address == nil, .addressOfWearable, at: .address)
            try require(
                values.herald.secret != values.log.path && values.herald.secret != values.snoop.file,
                .secretFileCollides, at: .secret)
            let schemes = values.schemes
            try require(
                schemes.sonar != .on || schemes.sonarPeriodMinutes.isMultiple(of: 6),
                .periodAcrossIdentities, at: .sonarPeriod)
            try require(
                schemes.bleProximity != .on || schemes.bleProximityPeriodMinutes.isMultiple(of: 6),
                .periodAcrossIdentities, at: .bleProximityPeriod)
        }
    }

    /// Refuses a scan timing that the duty does not use, because somebody believes that it applies.
    private func validateDuty() throws(ConfigurationError) {
        let (radio, usual) = (values.radio, AgentConfiguration.Radio())
        if radio.duty == .balanced || radio.duty == .saver {
            try require(
                radio.scanIntervalMilliseconds == usual.scanIntervalMilliseconds, .scanTimingOfDuty,
                at: .scanInterval)
            try require(
                radio.scanWindowMilliseconds == usual.scanWindowMilliseconds, .scanTimingOfDuty,
                at: .scanWindow)
        }
        if radio.duty == .custom {
            return try require(
                radio.quietScanWindowMilliseconds <= radio.quietScanIntervalMilliseconds,
                .quietScanWindowAboveInterval, at: .quietScanWindow)
        }
        try require(
            radio.quietScanIntervalMilliseconds == usual.quietScanIntervalMilliseconds,
            .quietScanTimingUnused, at: .quietScanInterval)
        try require(
            radio.quietScanWindowMilliseconds == usual.quietScanWindowMilliseconds, .quietScanTimingUnused,
            at: .quietScanWindow)
    }

    private func require(_ holds: Bool, _ problem: ConfigurationProblem, at key: ConfigurationKey)
        throws(ConfigurationError)
    {
        guard holds else { throw ConfigurationError(problem, origin: origin(of: key), key: key) }
    }
}

extension AgentConfiguration.Herald {
    /// The length of the texts in a venue payload: each text that is not empty takes 2 bytes and its own
    /// length.
    fileprivate var extendedDataByteCount: Int {
        sectionByteCount(name) + sectionByteCount(area) + sectionByteCount(disambiguation)
            + sectionByteCount(url)
    }

    private func sectionByteCount(_ text: FixedText<256>) -> Int { text.isEmpty ? 0 : text.count + 2 }
}
