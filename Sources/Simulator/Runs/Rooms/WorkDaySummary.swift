/// Several working days with one duty, and the requirements on them.
public struct WorkDaySummary: Sendable {
    public let duty: BoardDuty
    public let days: [WorkDay]

    /// The least share of contacts of five minutes that a board must find, with any duty.
    public static let leastFoundPercent = 99.0
    /// The largest share of the time for which a board with ``BoardDuty/saver`` may listen.
    public static let saverListenPercent = 25.0
    /// The least share of the time that the log must cover.
    public static let leastCoveredPercent = 98.0
    /// The log may state more listening than there was by so much: it bridges the pauses of connections.
    public static let statedTolerancePercent = 0.3
    public static let longContactSeconds = 300.0

    public init(_ duty: BoardDuty, _ days: [WorkDay]) {
        self.duty = duty
        self.days = days
    }

    /// The percentage of contacts that last at least so long and are in the log.
    public func foundPercent(lasting seconds: Double) -> Double {
        let contacts = days.flatMap(\.contacts).filter { $0.seconds >= seconds }
        let found = contacts.count { $0.latencySeconds != nil }
        return contacts.isEmpty ? 100 : 100 * Double(found) / Double(contacts.count)
    }

    /// The time to the first reading that this share of the contacts in the log did not exceed.
    public func latencySeconds(atShare share: Double) -> Double {
        let latencies = days.flatMap(\.contacts).compactMap(\.latencySeconds).sorted()
        guard !latencies.isEmpty else { return 0 }
        return latencies[min(Int(Double(latencies.count) * share), latencies.count - 1)]
    }

    public var contactCount: Int { days.reduce(0) { $0 + $1.contacts.count } }

    public func mean(_ figure: (WorkDay) -> Double) -> Double {
        days.isEmpty ? 0 : days.reduce(0) { $0 + figure($1) } / Double(days.count)
    }

    /// The first requirement that the days do not meet; nil if they meet all.
    public var complaint: String? {
        let found = foundPercent(lasting: Self.longContactSeconds)
        if found < Self.leastFoundPercent { return "\(found) % of contacts of 5 minutes found" }
        if duty == .saver, mean(\.listenPercent) > Self.saverListenPercent {
            return "listening for \(mean(\.listenPercent)) % of the time"
        }
        if mean(\.coveredPercent) < Self.leastCoveredPercent {
            return "\(mean(\.coveredPercent)) % of the time covered"
        }
        if days.contains(where: {
            $0.statedListenPercent > $0.scanListenPercent + Self.statedTolerancePercent
        }) {
            return "the log states more listening than there was"
        }
        if days.contains(where: { $0.faultCount > 0 }) { return "a fault of the radio in the log" }
        return nil
    }
}
