import Peers

/// Who was heard lately: whether a board has reason to expect somebody, and whether it hears the same ones again.
struct HeardCompany {
    private static let secondCount: UInt64 = 30
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
        // More than a few are many.
        if seconds[seconds.count - 1].senders.count < 8 { seconds[seconds.count - 1].senders.insert(sender) }
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
    /// know. Stated with a margin: twice the reports that are needed, in more of the seconds.
    func silenceLimitMilliseconds(atMilliseconds now: UInt64) -> UInt64? {
        let first = now / 1_000 - min(now / 1_000, Self.secondCount)
        let lately = seconds.filter { $0.number >= first }
        guard lately.count >= 26, lately.reduce(0, { $0 + $1.reports }) >= 60 else { return nil }
        // In each ten seconds from at least three peers.
        let isMany = (0..<3).allSatisfy { tens in
            let part = lately.filter { ($0.number - first) / 10 == tens }
            return part.reduce(into: Set<PeerKey>()) { $0.formUnion($1.senders) }.count >= 4
        }
        return isMany ? 10_000 : 20_000
    }
}
