import DeviceSync
import FixedMemory
import HCI
import Peers
import Testing

@testable import Agent
@testable import Radio

@Suite struct MessageQueueTests {
    private let key = PeerKey(DeviceAddress(value: 7, isRandom: true))

    @Test(arguments: [0, 499, 500, 501, 12_345] as [UInt64])
    func `HP-C25: the pause after a failed message doubles, and has jitter of up to a quarter`(
        _ jitter: UInt64
    ) throws {
        var queue = try MessageQueue()
        try queue.begin(
            MessageRequest(number: 1, recipients: .all, data: FixedBuffer<509>([1].span) ?? FixedBuffer()),
            now: 1_000)
        queue.add(key, identityDigest: 0, to: 1)
        var pauses: [Interval] = []
        for now in [1_000, 10_000] as [Instant] {
            queue.started(0)
            queue.attemptFailed(0, now: now, jitter: jitter)
            pauses.append(queue[0].nextAttempt - now)
        }
        #expect(pauses.map(\.milliseconds) == [2_000 + jitter % 501, 4_000 + jitter % 1_001])
        queue.attemptFailed(0, now: 20_000, jitter: jitter)
        let isOver = queue.isEmpty
        #expect(isOver, "the third is the last")
    }
}
