import FixedMemory

/// Makes contact identifiers from a schedule, period by period, in bounded steps. A day's key costs up to
/// 2,002 hashes once a day, and an identifier up to 243 hashes once a period. Boards have day keys, and no
/// schedule.
public struct HeraldIdentifierMaker: BitwiseCopyable, Sendable {
    public let schedule: HeraldKeySchedule
    /// Hashes computed so far.
    public private(set) var hashCount: UInt64 = 0

    private var keyWalk: (day: Int, chain: HeraldSeedChain)?
    private var matchingKey: (day: Int, key: Bytes<32>)?
    private var identifierWalk: (period: HeraldPeriod, chain: HeraldSeedChain)?
    private var identifier: (period: HeraldPeriod, identifier: Bytes<16>)?

    public init(_ schedule: HeraldKeySchedule) { self.schedule = schedule }

    /// The identifier of a period, in steps.
    /// - Parameter limit: how many hashes this call may compute, at least 3.
    /// - Returns: the identifier of `period`; nil while there is more to do: call again.
    @inline(never)
    public mutating func identifier(of period: HeraldPeriod, hashLimit limit: Int) -> Bytes<16>? {
        if let known = identifier, known.period == period { return known.identifier }
        var allowance = limit
        defer { hashCount &+= UInt64(limit - allowance) }
        guard let key = matchingKey(of: period.day, &allowance) else { return nil }
        var chain: HeraldSeedChain
        if let walk = identifierWalk, walk.period == period {
            chain = walk.chain
        } else {
            guard allowance > 0 else { return nil }
            allowance -= 1
            chain = HeraldKeySchedule.chain(from: key, toPeriod: period.index)
        }
        guard let contactKey = chain.advance(&allowance),
            let made = Bytes<16>(contactKey.span.extracting(0..<16))
        else {
            identifierWalk = (period, chain)
            return nil
        }
        identifierWalk = nil
        identifier = (period, made)
        return made
    }

    /// The key that reveals all identifiers of `day`; nil while there is more to do.
    private mutating func matchingKey(of day: Int, _ allowance: inout Int) -> Bytes<32>? {
        if let known = matchingKey, known.day == day { return known.key }
        var chain = schedule.chain(toDay: day)
        if let walk = keyWalk, walk.day == day { chain = walk.chain }
        guard let key = chain.advance(&allowance) else {
            keyWalk = (day, chain)
            return nil
        }
        keyWalk = nil
        matchingKey = (day, key)
        return key
    }
}
