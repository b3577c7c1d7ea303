import FixedMemory
import Peers
import TestSupport
import Testing

@Suite struct LogAllowanceTests {
    /// How many of these requests, each of bytes at a time in milliseconds, the allowance grants.
    private func granted(_ requests: [(Int, Instant)], of allowance: LogAllowance) -> [Bool] {
        var allowance = allowance
        return requests.map { allowance.take($0.0, now: $0.1) }
    }

    @Test func `the burst may be taken at once, and no more`() {
        let allowance = LogAllowance(pace: .seconds(1), burstKibibytes: 2)
        #expect(granted([(2_048, 5_000), (1, 5_000)], of: allowance) == [true, false])
    }

    @Test func `the rate gives back what was taken`() {
        let allowance = LogAllowance(pace: .seconds(1), burstKibibytes: 1)
        #expect(granted([(1_024, 0), (512, 400), (512, 500)], of: allowance) == [true, false, true])
    }

    @Test func `what is charged beyond the burst delays what comes next`() {
        var allowance = LogAllowance(pace: .seconds(1), burstKibibytes: 1)
        allowance.charge(4_096, now: 0)
        #expect(!allowance.allows(0, now: 2_900))
        #expect(allowance.allows(0, now: 3_000))
    }

    @Test func `an unlimited allowance gives everything`() {
        #expect(granted([(.max >> 32, 9_000), (.max >> 32, 0)], of: .unlimited) == [true, true])
    }

    @Test(
        arguments: [
            (LogAllowance.fleeting, 60, 239 << 10), (.lasting, 60, 1_428 << 10),
            (.earlyPages, 1_440, 61 << 20),
        ] as [(LogAllowance, UInt64, Int)])
    func `no hour or day gets more than the documents say`(
        _ allowance: LogAllowance, minutes: UInt64, limit: Int
    ) {
        var allowance = allowance
        var total = 0
        for second in 0..<minutes * 60 {
            while allowance.take(256, now: Instant(milliseconds: second * 1_000)) { total += 256 }
        }
        #expect(total <= limit)
        #expect(total > limit * 9 / 10)
    }
}
