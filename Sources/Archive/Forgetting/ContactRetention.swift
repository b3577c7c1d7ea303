import EncounterLog
import FixedMemory

/// The category that determines how long a contact is kept: the scheme of its identity, or else of its
/// adverts.
public enum ContactKind: Hashable, Sendable {
    case scheme(SchemeCode)
    /// Adverts of BlueTrace apps, whose identities boards do not read.
    case blueTrace
    /// The scheme is unknown, or belongs to a later version.
    case unidentified

    /// The category of a peer without an identity, from the advert by which it was found.
    init(hint: PeerHint?) {
        self =
            switch hint {
            case .heraldService?, .legacyService?, .bothServices?: .scheme(SchemeCode(.herald))
            case .sonar?: .scheme(SchemeCode(.sonar))
            case .covidTracer?: .scheme(SchemeCode(.covidTracer))
            case .bleProximity?: .scheme(SchemeCode(.bleProximity))
            case .exposureNotification?: .scheme(SchemeCode(.exposureNotification))
            case .robert?: .scheme(SchemeCode(.robert))
            case .dp3t?: .scheme(SchemeCode(.dp3t))
            case .tcn?: .scheme(SchemeCode(.tcn))
            case .blueTrace?: .blueTrace
            default: .unidentified
            }
    }

    /// Parses the label used on the command line.
    public init?(label: String) {
        guard let kind = ContactRetention.usual.map(\.kind).first(where: { $0.label == label }) else {
            return nil
        }
        self = kind
    }

    public var label: String {
        switch self {
        case .scheme(let scheme): scheme.label
        case .blueTrace: "blue-trace"
        case .unidentified: "unidentified"
        }
    }
}

/// The retention time of contacts in days, by scheme. No other place defines it.
public struct ContactRetention: Sendable, Equatable {
    public struct Rule: Sendable, Equatable {
        public let kind: ContactKind
        public let days: Int
        /// The origin of the rule.
        public let source: String
    }

    /// The retention rules of the schemes' own apps.
    public static let usual: [Rule] = [
        Rule(kind: .scheme(SchemeCode(.herald)), days: 28, source: "set by the app; default as Sonar"),
        Rule(
            kind: .scheme(SchemeCode(.sonar)), days: 28, source: "Sonar's apps: 28 days after a contact began"
        ),
        Rule(
            kind: .scheme(SchemeCode(.covidTracer)), days: 15,
            source: "CovidTracer's app: dates before today less 15"),
        Rule(kind: .scheme(SchemeCode(.bleProximity)), days: 28, source: "BLE-Proximity's app: 28 days each"),
        Rule(
            kind: .scheme(SchemeCode(.exposureNotification)), days: 14,
            source: "Exposure Notification's reference: 14 days"),
        Rule(
            kind: .scheme(SchemeCode(.robert)), days: 14,
            source: "set by the authority; default the strictest"),
        Rule(kind: .scheme(SchemeCode(.dp3t)), days: 14, source: "DP-3T's design: 14 days"),
        Rule(kind: .scheme(SchemeCode(.tcn)), days: 14, source: "set by the app; default the strictest"),
        Rule(kind: .blueTrace, days: 21, source: "BlueTrace's apps: 21 days"),
        Rule(kind: .unidentified, days: 28, source: "unknown scheme; default the longest"),
    ]

    private var daysOfKind: [ContactKind: Int]

    /// Sets every retention time to that of the scheme's own app.
    public init() {
        daysOfKind = Dictionary(
            Self.usual.map { ($0.kind, $0.days) }, uniquingKeysWith: { first, _ in first })
    }

    public subscript(_ kind: ContactKind) -> Int {
        get { daysOfKind[kind] ?? daysOfKind[.unidentified] ?? 0 }
        set { daysOfKind[kind] = newValue }
    }

    /// The moment before which contacts are no longer kept. CovidTracer's app counts dates, in UTC, and keeps
    /// each of them whole.
    public func limit(_ kind: ContactKind, now: WallClockTime) -> WallClockTime {
        let end = kind == .scheme(SchemeCode(.covidTracer)) ? WallClockTime(days: now.days) : now
        let interval = Interval.days(UInt64(max(0, self[kind])))
        let epoch = WallClockTime(milliseconds: 0)
        return end > epoch + interval ? end - interval : epoch
    }
}
