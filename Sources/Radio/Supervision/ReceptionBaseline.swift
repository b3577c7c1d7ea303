import FixedMemory

/// Who was heard over the last half minute of hearing, and so who should be heard now.
///
/// Seconds count only while the scan is on, and not while the radio is doubted: a fault does not make us
/// forget who was there before it.
package struct ReceptionBaseline: BitwiseCopyable {
    package enum Expectation: UInt8, BitwiseCopyable { case nobody, few, many }

    /// Somebody must have been there this long before they are missed.
    private static let steadySeconds: UInt8 = 20
    /// Reports come at random. Only when so many should have come, and none did, is it no chance.
    private static let missingReports = 15
    private static let silenceSeconds = (ofMany: 10, ofFew: 20, longest: 30)
    /// A second belongs to somebody's stay when they were heard in it or shortly before.
    private static let staySeconds = 10

    static let encounterTimeout = Interval.seconds(4)
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

    /// Whether those who were there have been missing for too long.
    var isSilent: Bool { expectation != .nobody && silentSeconds >= silenceLimitSeconds }

    /// Many are there, and so much is heard of them that within ``encounterTimeout`` something must come.
    var isDense: Bool { expectation == .many && sum >= Self.missingReports * Self.gapsPerHistory }

    /// One more second. `isMany`: good reports of lately came from several peers.
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

    /// The scan was set up anew: its silence begins now.
    mutating func noteRenewal() { silentSeconds = 0 }

    /// Nobody is expected any more.
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
