import FixedMemory

/// Every key of the configuration.
public enum ConfigurationKey: UInt8, BitwiseCopyable, Sendable {
    case role, boardName, position
    case hci, scan, advertise, extendedCommands, address, advertisingInterval, scanInterval, scanWindow
    case duty, quietScanInterval, quietScanWindow, txPower
    case power, giveUp
    case country, state, location, clientIdentifier, name, area, disambiguation, url
    case secret, writeBack, sharePayloads, askModel, wakeIPhones
    case sonar, covidTracer, bleProximity, exposureNotification, otherSchemes, sonarPeriod, bleProximityPeriod
    case covidTracerProbe
    case sample, gap, peers, links, dropWeakestLink, raw
    case logPath, logSize, lossWindow, retention
    case keysPath
    case syncPort, syncBaud
    case snoopFile

    static let count = 52
    static var all: Numbered<ConfigurationKey> { Numbered() }
    static func all(in section: ConfigurationSection) -> KeysOfSection { KeysOfSection(section: section) }

    public var section: ConfigurationSection { definition.section }

    /// The name within the section.
    public var name: StaticString { definition.name }

    /// Whether a board takes a value of this key over the cable.
    public var canBeSetOverCable: Bool { definition.kind.canBeSetOverCable }

    /// The name that the key had in earlier versions, within the same section. Files may still use it.
    var formerName: StaticString? { self == .otherSchemes ? "relatives" : nil }

    /// Finds a key by its name or its former name.
    init?(named name: Span<UInt8>, in section: ConfigurationSection) {
        var keys = Self.all(in: section)
        while let key = keys.next() {
            guard name.isEqual(to: key.name) || key.isFormerName(name) else { continue }
            self = key
            return
        }
        return nil
    }

    func isFormerName(_ name: Span<UInt8>) -> Bool {
        guard let formerName else { return false }
        return name.isEqual(to: formerName)
    }
}

/// Iterates over the keys of one section, in the order of the table.
struct KeysOfSection {
    let section: ConfigurationSection
    private var keys = ConfigurationKey.all

    init(section: ConfigurationSection) { self.section = section }

    mutating func next() -> ConfigurationKey? {
        while let key = keys.next() {
            if key.section == section { return key }
        }
        return nil
    }
}

/// The definition of a key.
struct KeyDefinition {
    let section: ConfigurationSection
    let name: StaticString
    let kind: KeyKind
    let meaning: StaticString
    /// The instruction that is printed when the value is refused.
    let remedy: StaticString

    init(
        _ section: ConfigurationSection, _ name: StaticString, _ kind: KeyKind, _ meaning: StaticString,
        remedy: StaticString
    ) {
        self.section = section
        self.name = name
        self.kind = kind
        self.meaning = meaning
        self.remedy = remedy
    }
}

/// The values that a key accepts.
enum KeyKind: BitwiseCopyable, Equatable {
    case boolean
    case integer(from: Int64, through: Int64)
    /// One of the speeds in ``BaudRate``.
    case baudRate
    case role
    /// Up to 255 bytes of UTF-8.
    case text
    /// Empty, or a text that begins with https://.
    case webAddress
    case path(mayBeEmpty: Bool)
    case transport
    case syncPort
    case radioPower
    case scanDuty
    /// "off", "listen" and "on", up to the given one.
    case schemeRole(through: AgentConfiguration.SchemeRole)
    /// Empty, a static random address such as C0:12:34:56:78:9A, or "public".
    case address
    /// Empty, or latitude and longitude.
    case position

    /// Whether an empty text means that the key has no value.
    var emptyIsNone: Bool { self == .address || self == .position }
}
