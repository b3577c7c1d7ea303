extension AgentConfiguration {
    /// Returns the value of `key`.
    @inline(never)
    func value(of key: ConfigurationKey) -> ConfigurationValue {
        var access = Access.read
        var copy = self
        // A read changes nothing and cannot fail.
        try? copy.visit(key, &access)
        guard case .found(let value) = access else { return .none }
        return value
    }

    /// Sets `key`; throws if the key does not accept `value`.
    mutating func set(_ key: ConfigurationKey, to value: ConfigurationValue) throws(ConfigurationProblem) {
        let kind = key.definition.kind
        try kind.check(value)
        var access = Access.write(kind.emptyIsNone && value == .text(FixedText()) ? .none : value)
        try visit(key, &access)
    }

    private enum Access {
        case read
        case found(ConfigurationValue)
        case write(ConfigurationValue)

        @inline(never)
        mutating func visit(_ field: inout some ConfigurationField) throws(ConfigurationProblem) {
            if case .write(let value) = self {
                field = try .init(value)
            } else {
                self = .found(field.value)
            }
        }
    }

    /// Maps each key to the field that stores its value.
    private mutating func visit(_ key: ConfigurationKey, _ access: inout Access) throws(ConfigurationProblem)
    {
        switch key {
        case .role: try access.visit(&agent.role)
        case .boardName: try access.visit(&agent.name)
        case .position: try access.visit(&agent.position)
        case .hci: try access.visit(&radio.hci)
        case .scan: try access.visit(&radio.scan)
        case .advertise: try access.visit(&radio.advertise)
        case .extendedCommands: try access.visit(&radio.usesExtendedCommands)
        case .address: try access.visit(&radio.address)
        case .advertisingInterval: try access.visit(&radio.advertisingIntervalMilliseconds)
        case .scanInterval: try access.visit(&radio.scanIntervalMilliseconds)
        case .scanWindow: try access.visit(&radio.scanWindowMilliseconds)
        case .duty: try access.visit(&radio.duty)
        case .quietScanInterval: try access.visit(&radio.quietScanIntervalMilliseconds)
        case .quietScanWindow: try access.visit(&radio.quietScanWindowMilliseconds)
        case .txPower: try access.visit(&radio.txPowerDBm)
        case .power: try access.visit(&radio.power)
        case .giveUp: try access.visit(&radio.giveUpMinutes)
        case .country: try access.visit(&herald.country)
        case .state: try access.visit(&herald.state)
        case .location: try access.visit(&herald.location)
        case .clientIdentifier: try access.visit(&herald.clientIdentifier)
        case .name: try access.visit(&herald.name)
        case .area: try access.visit(&herald.area)
        case .disambiguation: try access.visit(&herald.disambiguation)
        case .url: try access.visit(&herald.url)
        case .secret: try access.visit(&herald.secret)
        case .writeBack: try access.visit(&herald.writeBackSeconds)
        case .sharePayloads: try access.visit(&herald.sharesPayloads)
        case .askModel: try access.visit(&herald.asksModel)
        case .wakeIPhones: try access.visit(&herald.wakesIPhones)
        case .sonar: try access.visit(&schemes.sonar)
        case .covidTracer: try access.visit(&schemes.covidTracer)
        case .bleProximity: try access.visit(&schemes.bleProximity)
        case .exposureNotification: try access.visit(&schemes.exposureNotification)
        case .otherSchemes: try access.visit(&schemes.other)
        case .sonarPeriod: try access.visit(&schemes.sonarPeriodMinutes)
        case .bleProximityPeriod: try access.visit(&schemes.bleProximityPeriodMinutes)
        case .covidTracerProbe: try access.visit(&schemes.covidTracerProbeDBm)
        case .sample: try access.visit(&encounters.sampleSeconds)
        case .gap: try access.visit(&encounters.gapSeconds)
        case .peers: try access.visit(&encounters.peers)
        case .links: try access.visit(&encounters.links)
        case .dropWeakestLink: try access.visit(&encounters.dropsWeakestLink)
        case .raw: try access.visit(&encounters.raw)
        case .logPath: try access.visit(&log.path)
        case .logSize: try access.visit(&log.sizeMebibytes)
        case .lossWindow: try access.visit(&log.lossWindowSeconds)
        case .retention: try access.visit(&log.retentionDays)
        case .keysPath: try access.visit(&keys.path)
        case .syncPort: try access.visit(&sync.port)
        case .syncBaud: try access.visit(&sync.baud)
        case .snoopFile: try access.visit(&snoop.file)
        }
    }
}
