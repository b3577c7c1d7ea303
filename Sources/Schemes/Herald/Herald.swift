import FixedMemory

/// Herald's "Simple" identities of phones and wearables: one every six minutes, from a key a day. (A venue's
/// identity is a board's configuration, and constant.)
public enum Herald: PublishingScheme {
    /// One period.
    public static var toleranceSeconds: UInt64 { HeraldKeySchedule.periodMilliseconds / 1_000 }

    /// Computes the identity in one call, in up to 2,245 hashes; ``HeraldIdentifierMaker`` does it in steps.
    public static func identity(
        at unixSeconds: UInt64, by maker: inout HeraldIdentifierMaker
    ) throws(HeraldScheduleError) -> Timed<Bytes<16>> {
        guard unixSeconds <= .max / 1_000 else { throw .over }
        let period = try maker.schedule.period(at: unixSeconds * 1_000)
        while true {
            guard let identifier = maker.identifier(of: period, hashLimit: .max) else { continue }
            let seconds = UInt32(truncatingIfNeeded: HeraldKeySchedule.periodMilliseconds / 1_000)
            return Timed(
                identifier, ValidityInterval(around: unixSeconds, periodSeconds: seconds))
        }
    }

    /// - Throws: `.notAnIdentity` for other payloads, and for the zeros that phones send after their schedule
    ///   has ended.
    public static func read(_ payload: Span<UInt8>) throws(HeraldScheduleError) -> Bytes<16> {
        guard let simple = try? HeraldSimple(parsing: payload), !simple.isExpired else {
            throw .notAnIdentity
        }
        return simple.identifier
    }

    public static func expand(
        _ key: HeraldMatchingKey, _ visit: (Timed<Bytes<16>>) -> Bool
    ) throws(HeraldScheduleError) {
        let period = UInt32(truncatingIfNeeded: HeraldKeySchedule.periodMilliseconds / 1_000)
        let midnight = UInt64(key.daysSince1970) * 86_400
        var chain = HeraldKeySchedule.chain(from: key.key, toPeriod: 0)
        while let (index, contactKey) = chain.next() {
            // The schedule's 241st key belongs to no time.
            guard index < HeraldKeySchedule.periodsPerDay else { continue }
            guard let identifier = Bytes<16>(contactKey.span.extracting(0..<16)) else { return }
            let start = midnight + UInt64(truncatingIfNeeded: index) * UInt64(period)
            let validity = ValidityInterval(around: start, periodSeconds: period)
            guard visit(Timed(identifier, validity)) else { return }
        }
    }
}

/// The key of one day, which a person who has fallen ill publishes.
public struct HeraldMatchingKey: BitwiseCopyable, Sendable {
    public let daysSince1970: UInt32
    public let key: Bytes<32>

    public init(daysSince1970: UInt32, key: Bytes<32>) {
        self.daysSince1970 = daysSince1970
        self.key = key
    }
}
