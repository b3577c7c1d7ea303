import FixedMemory

extension HeraldKeySchedule {
    /// The key that its owner publishes for a day, counted from 1970. Computed in one call, in up to 2,002
    /// hashes; boards do not use it.
    public func matchingKey(ofDay daysSince1970: UInt32) throws(HeraldScheduleError) -> HeraldMatchingKey {
        let period = try period(at: UInt64(daysSince1970) * 86_400_000)
        var chain = chain(toDay: period.day)
        var allowance = Int.max
        guard let key = chain.advance(&allowance) else { throw .over }
        return HeraldMatchingKey(daysSince1970: daysSince1970, key: key)
    }

    /// The contact identifier of a period, 0 through 239, of the day with this matching key. Computed at
    /// once, in up to 243 hashes: about 3 ms on a Raspberry Pi Zero.
    public static func identifier(ofPeriod index: Int, of matchingKey: Bytes<32>) -> Bytes<16> {
        var chain = chain(from: matchingKey, toPeriod: index)
        var allowance = Int.max
        guard let contactKey = chain.advance(&allowance) else { return Bytes() }
        return Bytes<16>(contactKey.span.extracting(0..<16)) ?? Bytes()
    }
}
