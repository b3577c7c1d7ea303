import FixedMemory
import Peers

/// The senders heard recently: whether a board has reason to expect reports, and whether it hears the same
/// senders again.
struct HeardPeers {
    private static let secondCount: UInt64 = 30
    // From these values on an agent must know, with a margin. The agent needs 15 reports, in 20 of the 30
    // seconds, and counts three peers as many (the agent's `ReceptionBaseline`, `RadioHealth`).
    private static let sureReports = 60
    private static let sureSeconds = 26
    private static let surelyManyPeers = 4
    /// With so many reports of many peers, some seconds without one are a coverage gap. The agent needs 105.
    private static let surelyDenseReports = 140
    private static let silence = (ofDense: Interval.seconds(10), ofFew: Interval.seconds(20))
    /// The number of senders kept per second. More are not needed, because more than a few count as many.
    private static let sendersPerSecond = 8
    /// The longest pause between two adverts of one continuous sender.
    private static let repetition = Interval.seconds(20)

    /// The reports of one second.
    private struct Second {
        var number: UInt64
        var reports = 0
        var senders: Set<PeerKey> = []
    }

    private var seconds: [Second] = []
    /// When each sender was last heard, in the current period of 20 seconds and in the one before.
    private var recentSenders: [PeerKey: Instant] = [:]
    private var olderSenders: [PeerKey: Instant] = [:]
    private var halfEnd = Instant.start

    /// Records a good report.
    /// - Returns: Whether its sender was heard shortly before.
    mutating func record(_ sender: PeerKey, at now: Instant) -> Bool {
        let second = now / .seconds(1)
        if seconds.last?.number != second { seconds.append(Second(number: second)) }
        seconds[seconds.count - 1].reports += 1
        if seconds[seconds.count - 1].senders.count < Self.sendersPerSecond {
            seconds[seconds.count - 1].senders.insert(sender)
        }
        if seconds.count > Self.secondCount { seconds.removeFirst() }
        if now >= halfEnd {
            olderSenders = recentSenders
            recentSenders = [:]
            halfEnd = now + Self.repetition
        }
        let last = recentSenders[sender] ?? olderSenders[sender]
        recentSenders[sender] = now
        return last.map { now <= $0 + Self.repetition } ?? false
    }

    /// How long silence must last from `now` on before an agent can tell that its radio is deaf. Nil if it
    /// cannot. Few devices may be silent because they have links to the board.
    func silenceLimit(at now: Instant, hasLinks: Bool) -> Interval? {
        let first = now / .seconds(1) - min(now / .seconds(1), Self.secondCount)
        let lately = seconds.filter { $0.number >= first }
        let reports = lately.reduce(0) { $0 + $1.reports }
        guard lately.count >= Self.sureSeconds, reports >= Self.sureReports else { return nil }
        // The minimum must hold in each third of the 30 seconds.
        let isMany = (0..<3).allSatisfy { tens in
            let part = lately.filter { ($0.number - first) / 10 == tens }
            let senders = part.reduce(into: Set<PeerKey>()) { $0.formUnion($1.senders) }
            return senders.count >= Self.surelyManyPeers
        }
        if isMany, reports >= Self.surelyDenseReports { return Self.silence.ofDense }
        return hasLinks && !isMany ? nil : Self.silence.ofFew
    }
}
