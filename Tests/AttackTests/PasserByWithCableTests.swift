import Simulator
import Testing

/// Somebody at the board's cable who has no key.
@Suite struct PasserByWithCableTests {
    @Test(arguments: [10, 30] as [UInt64])
    func `a passer-by with a cable cannot burn pages with requests that need no key`(lossWindow: UInt64) {
        let calm = CableFlood(minutes: 5, isAsking: false, lossWindowSeconds: lossWindow)
        let asked = CableFlood(minutes: 5, lossWindowSeconds: lossWindow)
        #expect(asked.requestCount > 5_000)
        #expect(asked.complaint(beside: calm) == nil)
    }
}
