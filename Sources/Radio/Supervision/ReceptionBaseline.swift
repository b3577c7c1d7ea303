import FixedMemory

/// How many peers were heard in the last half minute of scanning, and so how many are expected now.
///
/// Seconds without reports count only while no fault is suspected, so that a fault does not lower the
/// expectation.
package struct ReceptionBaseline: BitwiseCopyable {
    package enum Expectation: UInt8, BitwiseCopyable { case nobody, few, many }

    /// Peers are expected only after they were heard in this many seconds.
    private static let steadySeconds: UInt8 = 20
    /// Reports come at random. Silence is significant only if at least this many were expected.
    private static let missingReports = 15
    private static let silenceSeconds = (ofMany: 10, ofFew: 12, longest: 15)
    /// After this many silent seconds, each further one takes a second off the time for which peers were
    /// heard.
    private static let staySeconds = 10

    static let encounterTimeout = Interval.seconds(4)
    /// The same over several short scans. A second of scanning may hold a pause, so these are more.
    static let gapSeconds = 6
    /// The time in which every silence of expected peers is noticed.
    static let longestSilence = Interval.seconds(UInt64(silenceSeconds.longest))
    private static let gapsPerHistory = 7

    private(set) var expectation = Expectation.nobody
    /// Seconds of scanning since the last good report.
    private(set) var silentSeconds = 0
    private var silenceLimitSeconds = Self.silenceSeconds.longest
    private var perSecond = InlineArray<30, UInt16>(repeating: 0)
    private var place = 0
    private var sum = 0
    private var secondsOfSome: UInt8 = 0
    private var secondsOfMany: UInt8 = 0

    /// Whether the expected peers have been silent for too long.
    var isSilent: Bool { expectation != .nobody && silentSeconds >= silenceLimitSeconds }

    /// Whether many peers are expected, with so many reports that a silence of ``encounterTimeout`` is
    /// significant.
    var isDense: Bool { expectation == .many && sum >= Self.missingReports * Self.gapsPerHistory }

    /// Adds one second. `isMany`: the latest good reports came from several peers.
    mutating func advance(goodReports: UInt32, isMany: Bool) {
        let count = UInt16(truncatingIfNeeded: min(goodReports, 1_000))
        sum += Int(count) - Int(perSecond[place])
        perSecond[place] = count
        place = (place + 1) % perSecond.count
        guard count > 0 else {
            silentSeconds += 1
            if silentSeconds > Self.staySeconds { secondsOfSome = secondsOfSome.decremented }
            return
        }
        silentSeconds = 0
        secondsOfSome = min(secondsOfSome + 1, 30)
        secondsOfMany = isMany ? min(secondsOfMany + 1, 30) : secondsOfMany.decremented
        expect()
    }

    /// Restarts the count of silent seconds for a renewed scan.
    mutating func recordRenewal() { silentSeconds = 0 }

    /// Forgets all peers, so that none is expected.
    mutating func forget() { self = ReceptionBaseline() }

    private mutating func expect() {
        guard sum >= Self.missingReports, secondsOfSome >= Self.steadySeconds else {
            expectation = .nobody
            return
        }
        expectation = secondsOfMany >= Self.steadySeconds ? .many : .few
        let limits = Self.silenceSeconds
        let least = expectation == .many ? limits.ofMany : limits.ofFew
        silenceLimitSeconds = min(max(least, Self.missingReports * perSecond.count / sum), limits.longest)
    }
}

extension UInt8 {
    fileprivate var decremented: UInt8 { self > 0 ? self - 1 : 0 }
}
