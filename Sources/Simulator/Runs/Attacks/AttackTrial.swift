import FixedMemory
import FlashSimulator

/// The same room twice: with attackers, who write identities and RSSI under others' addresses, rename others
/// by pseudo addresses and flood the board with writes; and with harmless devices in their place. The
/// records of honest phones must be the same.
public struct AttackTrial: Sendable {
    /// The share of all honest phones' readings that attackers may cost, in percent.
    public static let lossLimitPercent = 2.0
    /// The share of one phone's. A phone that is linked most of the time sends few adverts, so chance decides
    /// how many of them are heard.
    private static let phoneLossLimitPercent = 10.0
    /// Attackers and harmless devices keep the board from scanning at other moments, so its readings differ.
    private static let tolerance = Interval.seconds(10)
    /// A few readings more or less are chance where there are few.
    private static let readingTolerance = 8.0

    public let seed: UInt64
    public let phoneCount: Int
    public let attackerCount: Int
    public let writeCount: Int
    public let readingCount: Int
    /// The readings of honest phones that are missing in the room with attackers, in percent.
    public let lossPercent: Double
    /// The first requirement that the board does not meet; nil if it meets all.
    public let complaint: String?

    public init(seed: UInt64, minutes: UInt64 = 25) {
        let plan = AttackPlan(seed: seed, minutes: minutes)
        let harmless = AttackRoom(plan, isHostile: false).run()
        let hostile = AttackRoom(plan, isHostile: true).run()
        self.seed = seed
        phoneCount = plan.guests.count
        attackerCount = plan.attackers.count
        writeCount = hostile.acknowledgedCount
        let pairs = harmless.phones.indices.map { index in
            (
                name: harmless.phones[index].name, before: harmless.stays(of: harmless.phones[index]),
                after: hostile.stays(of: hostile.phones[index])
            )
        }
        let before = pairs.reduce(0) { $0 + $1.before.reduce(0) { $0 + $1.readings } }
        let after = pairs.reduce(0) { $0 + $1.after.reduce(0) { $0 + $1.readings } }
        readingCount = after
        lossPercent = before == 0 ? 0 : 100 * Double(before - after) / Double(before)
        if hostile.visitCount == 0, plan.steps.count > 20 {
            complaint = "no attacker reached the board"
        } else if let contradiction = hostile.contradiction ?? harmless.contradiction {
            complaint = contradiction
        } else if lossPercent > Self.lossLimitPercent {
            complaint = "\(before) readings without attackers, \(after) with them"
        } else {
            complaint = pairs.lazy.compactMap { Self.complaint($0.name, $0.before, $0.after) }.first
        }
    }

    private static func complaint(
        _ name: String, _ before: [AttackRecord.Stay], _ after: [AttackRecord.Stay]
    ) -> String? {
        guard before.count == after.count else {
            return "\(name): \(before.count) encounters without attackers, \(after.count) with them"
        }
        for (calm, attacked) in zip(before, after) {
            if distance(calm.start, attacked.start) > tolerance
                || distance(calm.end, attacked.end) > tolerance
            {
                return "\(name): \(text(calm)) without attackers, \(text(attacked)) with them"
            }
        }
        let least = before.reduce(0.0) { $0 + Double($1.readings) }
        let have = after.reduce(0.0) { $0 + Double($1.readings) }
        guard have >= least * (1 - phoneLossLimitPercent / 100) - readingTolerance else {
            return "\(name): \(Int(least)) readings without attackers, \(Int(have)) with them"
        }
        return nil
    }

    private static func distance(_ one: Instant, _ other: Instant) -> Interval {
        one > other ? one - other : other - one
    }

    private static func text(_ stay: AttackRecord.Stay) -> String {
        "\(stay.start.milliseconds)…\(stay.end.milliseconds) ms"
    }
}
