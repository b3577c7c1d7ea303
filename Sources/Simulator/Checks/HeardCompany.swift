import Peers

/// Who was heard lately: whether a board has reason to expect somebody, and whether it hears the same ones again.
struct HeardCompany {
    private static let secondCount: UInt64 = 30
    // From here on an agent must know, with a margin: it goes by 15 reports, in 20 of the 30 seconds, and takes three
    // peers for many (the agent's `HearingHistory`, `RadioHealth`).
    private static let sureReports = 60
    private static let sureSeconds = 26
    private static let surelyManyPeers = 4
    private static let silenceMilliseconds: (ofMany: UInt64, ofFew: UInt64) = (10_000, 20_000)
    /// Of one second no more senders are kept: more than a few are many.
    private static let sendersPerSecond = 8
    /// A device's adverts belong together when they come no further apart.
    private static let repetitionMilliseconds: UInt64 = 20_000

    /// Of one second.
    private struct Second {
        var number: UInt64
        var reports = 0
        var senders: Set<PeerKey> = []
    }

    private var seconds: [Second] = []
    /// Since the last change of the half, and in the half before.
    private var recentSenders: [PeerKey: UInt64] = [:]
    private var olderSenders: [PeerKey: UInt64] = [:]
    private var halfEnd: UInt64 = 0

    /// Takes in a good report.
    /// - Returns: whether its sender was heard shortly before.
    mutating func note(_ sender: PeerKey, atMilliseconds now: UInt64) -> Bool {
        let second = now / 1_000
        if seconds.last?.number != second { seconds.append(Second(number: second)) }
        seconds[seconds.count - 1].reports += 1
        if seconds[seconds.count - 1].senders.count < Self.sendersPerSecond {
            seconds[seconds.count - 1].senders.insert(sender)
        }
        if seconds.count > Self.secondCount { seconds.removeFirst() }
        if now >= halfEnd {
            olderSenders = recentSenders
            recentSenders = [:]
            halfEnd = now + Self.repetitionMilliseconds
        }
        let last = recentSenders[sender] ?? olderSenders[sender]
        recentSenders[sender] = now
        return last.map { now <= $0 + Self.repetitionMilliseconds } ?? false
    }

    /// How long nobody must be heard from `now` on until an agent knows by it that its radio is deaf; nil: it cannot
    /// know.
    func silenceLimitMilliseconds(atMilliseconds now: UInt64) -> UInt64? {
        let first = now / 1_000 - min(now / 1_000, Self.secondCount)
        let lately = seconds.filter { $0.number >= first }
        guard lately.count >= Self.sureSeconds, lately.reduce(0, { $0 + $1.reports }) >= Self.sureReports
        else { return nil }
        // In each ten of the seconds.
        let isMany = (0..<3).allSatisfy { tens in
            let part = lately.filter { ($0.number - first) / 10 == tens }
            let senders = part.reduce(into: Set<PeerKey>()) { $0.formUnion($1.senders) }
            return senders.count >= Self.surelyManyPeers
        }
        return isMany ? Self.silenceMilliseconds.ofMany : Self.silenceMilliseconds.ofFew
    }
}
