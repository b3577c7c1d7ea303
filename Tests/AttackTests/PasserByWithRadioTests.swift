import Simulator
import Testing

/// Somebody in radio range who sends adverts, and never identifies itself.
@Suite struct PasserByWithRadioTests {
    private static let minutes: UInt64 = 6

    private func calm() -> LogFlood { LogFlood(of: nil, minutes: Self.minutes) }

    @Test func `a passer-by with a radio cannot push evidence out with adverts from ever new addresses`() {
        let calm = calm()
        let flood = LogFlood(of: FloodAdverts(), minutes: Self.minutes)
        #expect(flood.advertCount > 150_000)
        #expect(calm.visitorCount > 0 && calm.identifiedVisitorCount == calm.visitorCount)
        #expect(flood.complaint(beside: calm) == nil)
        #expect(flood.unloggedCount > 140_000, "the log has the number of those it leaves out")
    }

    @Test func `a passer-by with a radio cannot push evidence out with adverts from addresses that stay`() {
        let calm = calm()
        let flood = LogFlood(of: FloodAdverts(addressCount: 3_000), minutes: Self.minutes)
        #expect(flood.complaint(beside: calm, hourlyLimit: 1_512_144) == nil)
    }

    /// Each address is loud, connectable and heard twice, and never answers.
    @Test func `a passer-by with a radio cannot stop the scan with bait that never answers`() {
        let bait = FloodAdverts(advertsPerAddress: 2, isConnectable: true)
        let flood = LogFlood(of: bait, perSecond: 20, minutes: 12)
        #expect(flood.scanPercent > 75, "scanned \(flood.scanPercent) % of the time")
        #expect(flood.identifiedVisitorCount == flood.visitorCount)
    }

    @Test func `a passer-by with a radio cannot stop the scan with one address that never answers`() {
        let bait = FloodAdverts(addressCount: 1, isConnectable: true)
        let flood = LogFlood(of: bait, perSecond: 10, minutes: 12)
        #expect(flood.scanPercent > 90, "scanned \(flood.scanPercent) % of the time")
        #expect(flood.identifiedVisitorCount == flood.visitorCount)
    }
}
