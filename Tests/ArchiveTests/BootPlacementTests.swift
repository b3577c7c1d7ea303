import Archive
import FixedMemory
import TestSupport
import Testing

// The rules of docs/time.md are arithmetic on milliseconds, and so are these tests.
private let midday = Int64(noon.milliseconds)

extension BootPlacement {
    fileprivate func milliseconds(at monotonic: Int64) -> Int64 {
        point(at: Instant(clamping: monotonic)).milliseconds
    }

    fileprivate func errorMilliseconds(at monotonic: Int64) -> Int64? {
        error(at: Instant(clamping: monotonic)).map { Int64($0.milliseconds) }
    }

    fileprivate func earliest(_ time: Int64) -> Int64? { notBefore(Instant(clamping: time))?.signed }
    fileprivate func latest(_ time: Int64) -> Int64? { notAfter(Instant(clamping: time))?.signed }

    fileprivate func monotonic(of milliseconds: Int64) -> Int64 {
        Int64(instant(of: TimelinePoint(milliseconds: milliseconds)).milliseconds)
    }
}

extension WallClockTime {
    fileprivate var signed: Int64 { Int64(milliseconds) }
}

/// The placement of boots in time.
@Suite struct BootPlacementTests {
    private static let hour: Int64 = 3_600_000

    private func host(_ at: Int64, _ wall: Int64, error: Int64 = 5) -> Anchor {
        anchor(at, wall, error, .host)
    }

    private func system(_ monotonic: Int64, _ wall: Int64, error: Int64) -> Anchor {
        anchor(monotonic, wall, error, .systemClock)
    }

    private func anchor(_ monotonic: Int64, _ wall: Int64, _ error: Int64, _ source: Anchor.Source) -> Anchor
    {
        Anchor(
            instant: Instant(clamping: monotonic), wallClock: WallClockTime(clamping: wall),
            error: Interval(clamping: error), source: source)
    }

    private func unchecked(_ monotonic: Int64, _ wall: Int64) -> Anchor {
        system(monotonic, wall, error: Int64(Anchor.unknownError.milliseconds))
    }

    /// A boot with records from 0 to `length`.
    private func start(_ identifier: UInt64, length: Int64 = hour, _ anchors: [Anchor] = []) -> BootHistory {
        var boot = BootHistory.test(identifier, anchoredAt: nil, tracks: [])
        boot.anchors = anchors
        boot.coverage = [Coverage(start: 0, end: Instant(clamping: length), reportCount: 1)]
        return boot
    }

    private func place(_ boots: [BootHistory]) -> [BootPlacement] {
        BoardHistory(board: .test, boots: boots).placements()
    }

    private func place(_ anchors: [Anchor]) -> BootPlacement { place([start(1, anchors)])[0] }

    // MARK: One anchor

    @Test func `the error grows with the distance from an anchor by 100 ppm`() {
        let placement = place([host(Self.hour, midday)])
        #expect(placement.basis == .host)
        #expect(placement.milliseconds(at: Self.hour) == midday)
        #expect(placement.errorMilliseconds(at: Self.hour) == 5)
        #expect(placement.milliseconds(at: 0) == midday - Self.hour)
        #expect(placement.errorMilliseconds(at: 0) == 365)
        #expect(placement.errorMilliseconds(at: 11 * Self.hour) == 3_605)
    }

    @Test
    func `the error grows by 500 ppm if the system clock is disciplined, and the monotonic clock with it`() {
        let placement = place([system(0, midday, error: 40)])
        #expect(placement.basis == .system)
        #expect(placement.errorMilliseconds(at: 600_000) == 340)
    }

    // MARK: Several anchors

    @Test func `two anchors give the clock's rate between and beyond them`() {
        // The clock is fast by 60 ppm, which is 2,160 ms in ten hours.
        let placement = place([host(0, midday), host(10 * Self.hour, midday + 10 * Self.hour - 2_160)])
        #expect(abs(placement.milliseconds(at: 5 * Self.hour) - (midday + 5 * Self.hour - 1_080)) <= 1)
        // The error is 20 ppm of five hours plus the error of the anchors, not 100 ppm.
        #expect(placement.errorMilliseconds(at: 5 * Self.hour) ?? .max < 380)
        #expect(placement.errorMilliseconds(at: 20 * Self.hour) ?? .max < 760)
        #expect(abs(placement.milliseconds(at: 20 * Self.hour) - (midday + 20 * Self.hour - 4_320)) <= 20)
    }

    @Test func `an exact anchor is preferred to a nearer vague one`() {
        let placement = place([host(0, midday, error: 5), host(60_000, midday + 60_500, error: 2_000)])
        #expect(placement.errorMilliseconds(at: 60_000) == 11)
        #expect(placement.milliseconds(at: 60_000) == midday + 60_000)
    }

    @Test(arguments: 0..<60 as Range<UInt64>)
    func `if all anchors' error bounds hold, the true time is within the error`(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        // The true rate varies by less than 10 ppm around its mean.
        let rate = Double.random(in: -80...80, using: &generator) / 1e6
        let period = Double.random(in: 1e6...1e8, using: &generator)
        func truth(_ monotonic: Int64) -> Double {
            let phase = (Double(monotonic) / period).truncatingRemainder(dividingBy: 1)
            let strayed = 9e-6 * period * min(phase, 1 - phase)
            return Double(midday) + Double(monotonic) * (1 + rate) + strayed
        }
        let length = Int64.random(in: 1_000...1_000 * Self.hour, using: &generator)
        let anchors = (0..<Int.random(in: 1...12, using: &generator)).map { _ -> Anchor in
            let moment = Int64.random(in: 0...length, using: &generator)
            let error = Int64.random(in: 1...(Bool.random(using: &generator) ? 10 : 5_000), using: &generator)
            let off = Double.random(in: -1...1, using: &generator) * Double(error - 1)
            return host(moment, Int64((truth(moment) + off).rounded()), error: error)
        }
        let placement = place([start(1, length: length, anchors)])[0]
        #expect(placement.rejectedAnchorCount == 0, "seed \(seed)")
        for _ in 0..<200 {
            let moment = Int64.random(in: 0...length, using: &generator)
            let distance = abs(Double(placement.milliseconds(at: moment)) - truth(moment))
            #expect(distance <= Double(placement.errorMilliseconds(at: moment) ?? -1) + 0.5, "seed \(seed)")
        }
    }

    // MARK: Contradictions

    @Test func `a host's anchor overrides a wrong system clock`() {
        let systems = (0..<20).map { system($0 * 60_000, midday + 7 * Self.hour + $0 * 60_000, error: 10) }
        let placement = place(systems + [host(30_000, midday + 30_000)])
        #expect(placement.basis == .host)
        #expect(placement.milliseconds(at: 0) == midday)
        #expect((placement.usedAnchorCount, placement.rejectedAnchorCount) == (1, 20))
    }

    @Test func `if the system clock was stepped, its longer part counts`() {
        let before = (0..<3).map { system($0 * 60_000, midday + 5_000_000 + $0 * 60_000, error: 10) }
        let after = (3..<9).map { system($0 * 60_000, midday + $0 * 60_000, error: 10) }
        let placement = place(before + after)
        #expect(placement.milliseconds(at: 0) == midday)
        #expect(placement.rejectedAnchorCount == 3)
    }

    @Test func `if one of three hosts disagrees, the other two count`() {
        let anchors = [(0, 0), (2, 3), (4, 4)].map { host($0 * Self.hour, midday + $1 * Self.hour) }
        let placement = place(anchors)
        #expect(placement.milliseconds(at: 2 * Self.hour) == midday + 2 * Self.hour)
        #expect((placement.usedAnchorCount, placement.rejectedAnchorCount) == (2, 1))
    }

    @Test func `contradicting host anchors are explained by a bad quartz before any is rejected`() {
        let placement = place([host(0, midday), host(10 * Self.hour, midday + 10 * Self.hour + 9_000)])
        #expect(placement.rejectedAnchorCount == 0)
        #expect(abs(placement.milliseconds(at: 10 * Self.hour) - (midday + 10 * Self.hour + 9_000)) <= 5)
    }

    @Test func `a clock that was never set does not count as an anchor`() {
        let placement = place([system(0, 12_000, error: 1), unchecked(60_000, 72_000)])
        #expect(placement.basis == .none)
        #expect(placement.rejectedAnchorCount == 2)
        #expect(placement.milliseconds(at: 500) == 500)
        #expect(placement.errorMilliseconds(at: 500) == nil)
    }

    @Test func `an exchange recorded by both host and board counts once`() {
        let placement = place([host(0, midday), host(0, midday)])
        #expect(placement.usedAnchorCount == 1)
    }

    // MARK: An unchecked system clock

    @Test func `an unchecked clock gives times of unknown error`() {
        let placement = place([unchecked(0, midday)])
        #expect(placement.basis == .unchecked)
        #expect(placement.milliseconds(at: 60_000) == midday + 60_000)
        #expect(placement.errorMilliseconds(at: 60_000) == nil)
    }

    @Test func `between boots of known time, the error of an unchecked clock is bounded by the order`() throws
    {
        let placements = place([
            start(1, [host(0, midday)]), start(2, [unchecked(0, midday + 2 * Self.hour)]),
            start(3, [host(0, midday + 5 * Self.hour)]),
        ])
        #expect(placements[1].basis == .unchecked)
        #expect(placements[1].milliseconds(at: 0) == midday + 2 * Self.hour)
        // The boot may have begun at any time from midday + 1 h to midday + 4 h.
        let error = try #require(placements[1].errorMilliseconds(at: 0))
        #expect(abs(error - 2 * Self.hour) < 2_000)
    }

    @Test func `a clock that resumes from the last shutdown is not placed before earlier boots`() {
        let placements = place([
            start(1, [host(0, midday)]), start(2, [unchecked(0, midday + Self.hour / 2)]),
            start(3, [unchecked(0, midday + Self.hour / 2)]),
        ])
        #expect(placements[1].milliseconds(at: 0) == midday + Self.hour)
        #expect(placements[2].milliseconds(at: 0) >= placements[1].milliseconds(at: Self.hour))
    }

    // MARK: The order

    @Test func `a boot without an anchor is placed between its neighbours`() throws {
        let placements = place([
            start(1, [host(0, midday)]), start(2), start(3, [host(0, midday + 4 * Self.hour)]),
        ])
        #expect(placements[1].basis == .order)
        // The boot may have begun at any time from midday + 1 h to midday + 3 h.
        #expect(abs(placements[1].milliseconds(at: 0) - (midday + 2 * Self.hour)) < 1_000)
        let error = try #require(placements[1].errorMilliseconds(at: 0))
        #expect(abs(error - Self.hour) < 1_000)
    }

    @Test func `with one neighbour, a boot has only an upper or only a lower bound`() {
        let placements = place([start(1), start(2, [host(0, midday)]), start(3)])
        #expect(placements.map(\.basis) == [.none, .host, .none])
        #expect(placements[0].latest(Self.hour).map { abs($0 - midday) <= 5 } == true)
        #expect(placements[0].latest(0).map { abs($0 - (midday - Self.hour)) < 1_000 } == true)
        #expect(placements[0].earliest(0) == nil && placements[0].errorMilliseconds(at: 0) == nil)
        #expect(placements[2].earliest(0).map { abs($0 - (midday + Self.hour)) < 1_000 } == true)
        #expect(placements[2].latest(0) == nil)
    }

    @Test func `neighbours with large errors do not overlap, and the order reduces the errors`() throws {
        let placements = place([
            start(1, [host(0, midday, error: 2 * Self.hour)]), start(2, [host(0, midday, error: 10)]),
        ])
        #expect(placements[0].milliseconds(at: Self.hour) <= placements[1].milliseconds(at: 0))
        let error = try #require(placements[0].errorMilliseconds(at: 0))
        #expect(error < 3 * Self.hour / 4)
    }

    @Test func `a boot whose clock contradicts the order of most boots is placed by the order`() {
        var boots = (0..<5).map {
            start(UInt64($0), [system(0, midday + Int64($0) * 2 * Self.hour, error: 50)])
        }
        boots[2].anchors = [system(0, midday - 48 * Self.hour, error: 50)]
        let placements = place(boots)
        #expect(placements.map(\.basis) == [.system, .system, .order, .system, .system])
        #expect(placements[2].rejectedAnchorCount == 1)
        #expect(placements[2].milliseconds(at: 0) > midday + 3 * Self.hour)
    }

    @Test func `one host's anchor counts for more than many system clocks`() {
        var boots = (0..<5).map {
            start(UInt64($0), [system(0, midday + Int64($0) * 2 * Self.hour, error: 50)])
        }
        boots.append(start(9, [host(0, midday - 48 * Self.hour)]))
        let placements = place(boots)
        #expect(placements[5].basis == .host)
        #expect(placements[0].basis == .none)
        #expect(placements[0].latest(0) ?? .max < midday - 48 * Self.hour)
    }

    @Test(arguments: 0..<60 as Range<UInt64>)
    func `if all anchors are true, times are within their errors and never run backwards`(
        seed: UInt64
    ) {
        var generator = SeededGenerator(seed: seed)
        let rate = Double.random(in: -90...90, using: &generator) / 1e6
        var wall = Double(midday)
        var boots: [BootHistory] = []
        var origins: [Double] = []
        for number in 0..<Int.random(in: 1...12, using: &generator) {
            let length = Int64.random(in: 1_000...20 * Self.hour, using: &generator)
            origins.append(wall)
            let anchors = (0..<max(0, Int.random(in: -2...3, using: &generator))).map { _ -> Anchor in
                let moment = Int64.random(in: 0...length, using: &generator)
                let error = Int64.random(in: 1...3_000, using: &generator)
                let off = Double.random(in: -1...1, using: &generator) * Double(error - 1)
                return host(
                    moment, Int64((wall + Double(moment) * (1 + rate) + off).rounded()), error: error)
            }
            boots.append(start(UInt64(number), length: length, anchors))
            // A wall clock before 2020 gives no information.
            boots[number].anchors.append(unchecked(0, 12_000))
            wall += Double(length) * (1 + rate)
            wall += Double(Int64.random(in: 0...Self.hour * 5, using: &generator))
        }
        var last = Int64.min
        for (number, placement) in place(boots).enumerated() where placement.isOnWallClock {
            let end = Int64(boots[number].coverage[0].end.milliseconds)
            for moment in stride(from: Int64(0), through: end, by: Int64.Stride(max(1, end / 50))) {
                let time = placement.milliseconds(at: moment)
                #expect(time >= last, "seed \(seed)")
                last = time
                let truth = origins[number] + Double(moment) * (1 + rate)
                let error = placement.errorMilliseconds(at: moment) ?? -1
                #expect(abs(Double(time) - truth) <= Double(error) + 0.5, "seed \(seed), start \(number)")
                #expect(abs(placement.monotonic(of: time) - moment) <= 1)
            }
        }
    }
}
