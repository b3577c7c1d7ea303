import FixedMemory
import FlashSimulator

/// The same room twice: with attackers, who write identities and RSSI under others' addresses, rename others
/// by pseudo addresses and flood the board with writes; and with harmless devices in their place. The
/// records of honest phones must be the same.
public struct AttackTrial: Sendable {
    /// The share of readings that attackers may cost, in percent: of all honest phones' compared with the
    /// room without attackers, and of one phone's that the controller measured.
    public static let lossLimitPercent = 2.0
    /// The share of one phone's readings compared with the room without attackers, in percent. Chance alone
    /// makes up to 2.2 % in 5,000 pairs.
    private static let phoneLossLimitPercent = 4.0
    /// Attackers and harmless devices keep the board from scanning at other moments, so its readings differ.
    private static let tolerance = Interval.seconds(10)
    /// A few readings more or less are chance where there are few.
    private static let readingTolerance = 8.0

    public let seed: UInt64
    public let phoneCount: Int
    public let attackerCount: Int
    public let writeCount: Int
    public let readingCount: Int
    /// The readings of honest phones that are missing in the room with attackers, in percent; without phones
    /// that have a link most of the time.
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
        let pairs = zip(harmless.phones, hostile.phones).map { calm, attacked in
            let after = hostile.stays(of: attacked)
            return Pair(
                phone: calm, before: harmless.stays(of: calm), after: after,
                measured: hostile.measuredCount(of: attacked, during: after))
        }
        readingCount = pairs.reduce(0) { $0 + $1.after.readings }
        let compared = pairs.filter { !$0.phone.isOftenLinked }
        let before = compared.reduce(0) { $0 + $1.before.readings }
        let after = compared.reduce(0) { $0 + $1.after.readings }
        lossPercent = before == 0 ? 0 : 100 * Double(before - after) / Double(before)
        if hostile.visitCount == 0, plan.steps.count > 20 {
            complaint = "no attacker reached the board"
        } else if let contradiction = hostile.contradiction ?? harmless.contradiction {
            complaint = contradiction
        } else if lossPercent > Self.lossLimitPercent {
            complaint = "\(before) readings without attackers, \(after) with them"
        } else {
            complaint = pairs.lazy.compactMap(Self.complaint).first
        }
    }

    /// The records of one phone in both rooms.
    private struct Pair {
        let phone: AttackRecord.Phone
        let before: [AttackRecord.Stay]
        let after: [AttackRecord.Stay]
        /// The readings of the controller in the room with attackers.
        let measured: Int
    }

    private static func complaint(about pair: Pair) -> String? {
        let (name, before, after) = (pair.phone.name, pair.before, pair.after)
        guard before.count == after.count else {
            return "\(name): encounters \(text(before)) without attackers, \(text(after)) with them"
        }
        for (calm, attacked) in zip(before, after) {
            if distance(calm.start, attacked.start) > tolerance
                || distance(calm.end, attacked.end) > tolerance
            {
                return "\(name): \(text(calm)) without attackers, \(text(attacked)) with them"
            }
        }
        if !hasEnough(after.readings, of: pair.measured, lossPercent: lossLimitPercent) {
            return "\(name): \(after.readings) readings recorded, \(pair.measured) measured"
        }
        if !pair.phone.isOftenLinked,
            !hasEnough(after.readings, of: before.readings, lossPercent: phoneLossLimitPercent)
        {
            return "\(name): \(before.readings) readings without attackers, \(after.readings) with them"
        }
        return nil
    }

    private static func hasEnough(_ count: Int, of expected: Int, lossPercent: Double) -> Bool {
        Double(count) >= Double(expected) * (1 - lossPercent / 100) - readingTolerance
    }

    private static func distance(_ one: Instant, _ other: Instant) -> Interval {
        one > other ? one - other : other - one
    }

    private static func text(_ stays: [AttackRecord.Stay]) -> String {
        stays.isEmpty ? "none" : stays.map(text).joined(separator: ", ")
    }

    private static func text(_ stay: AttackRecord.Stay) -> String {
        "\(stay.start.milliseconds)…\(stay.end.milliseconds) ms"
    }
}

extension [AttackRecord.Stay] {
    fileprivate var readings: Int { reduce(0) { $0 + $1.readings } }
}
