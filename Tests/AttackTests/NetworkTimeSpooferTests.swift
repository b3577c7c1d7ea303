import Simulator
import Testing

/// Attacks by somebody who answers the board's requests for network time, and accidents with the same effect.
@Suite struct NetworkTimeSpooferTests {
    @Test(arguments: ClockWorld.scripts.map(\.name))
    func `a spoofer of network time cannot have unfetched records or day keys erased`(name: String) throws {
        let script = try #require(ClockWorld.scripts.first { $0.name == name })
        let outcome = ClockWorld.run(script)
        #expect(outcome.lostSegments == 0)
        #expect(outcome.lostKeys == 0)
        if script.isLong {
            #expect(outcome.expiredSegments > 0)
            #expect(outcome.leftKeys == 0)
        }
    }
}
