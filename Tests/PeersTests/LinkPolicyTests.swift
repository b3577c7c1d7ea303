import FixedMemory
import HCI
import Peers
import TestSupport
import Testing

@Suite struct LinkPolicyTests {
    private func next(
        _ listener: borrowing Listener, _ turn: LinkPolicy.Turn = .nearest,
        allowsCandidates: Bool = true, excluding excluded: [DeviceAddress] = []
    ) -> DeviceAddress? {
        LinkPolicy().nextPeer(
            in: listener.recorder.peers, listener.recorder.exchanges, turn: turn, now: listener.now,
            allowsCandidates: allowsCandidates, excluding: { excluded.contains($0) })
    }

    /// Records a connection attempt that the peer does not answer.
    private func failAttempt(_ listener: inout Listener, with peer: DeviceAddress) {
        listener.recorder.exchanges.start(with: peer, in: &listener.recorder.peers)
        listener.recorder.exchanges.fail(
            with: peer, in: listener.recorder.peers, now: listener.now, jitter: 0)
    }

    @Test func `HP-C25: the nearest peer is read first`() throws {
        var listener = try Listener()
        listener.hear(.peer(1), -80, times: 2)
        listener.hear(.peer(2), -50, times: 2)
        listener.hear(.peer(3), -70, .candidate, times: 2)
        #expect(next(listener) == .peer(2))
        #expect(next(listener, excluding: [.peer(2)]) == .peer(3))
        #expect(next(listener, excluding: [.peer(2), .peer(3)]) == .peer(1))
    }

    @Test func `ignored peers and peers that are not connectable are not chosen`() throws {
        var listener = try Listener()
        listener.hear(.peer(1), -50, .ignored, times: 2)
        listener.hear(.peer(2), -50, isConnectable: false, times: 2)
        listener.hear(.peer(3), nil, times: 2)
        #expect(next(listener) == nil)
        listener.hear(.peer(2), -50, isConnectable: true)
        #expect(next(listener) == .peer(2))
    }

    @Test func `only a peer that was heard just now is chosen`() throws {
        var listener = try Listener()
        listener.hear(.peer(1), -50, times: 2)
        listener.wait(milliseconds: 3_000)
        listener.hear(.peer(2), -90, times: 2)
        #expect(next(listener, excluding: [.peer(2)]) == .peer(1))
        listener.wait(milliseconds: 1_500)
        #expect(next(listener, excluding: [.peer(2)]) == nil)
        #expect(next(listener) == .peer(2))
        listener.wait(milliseconds: 3_000)
        #expect(next(listener) == nil)
    }

    @Test func `HP-C21: an identity is read once`() throws {
        var listener = try Listener()
        listener.hear(.peer(1), times: 2)
        listener.recorder.exchanges.start(with: .peer(1), in: &listener.recorder.peers)
        #expect(next(listener) == nil)
        try listener.identify(.peer(1), as: [1, 2, 3])
        for _ in 0..<100 {
            listener.wait(milliseconds: 2_000)
            listener.hear(.peer(1))
            #expect(next(listener) == nil)
        }
    }

    @Test func `HP-C25: a near peer that never answers does not starve the others`() throws {
        var listener = try Listener()
        var asked: [DeviceAddress] = []
        for _ in 0..<6 {
            for number in 1...3 as ClosedRange<UInt64> {
                listener.hear(.peer(number), -40 - 10 * Int8(number), times: 2)
            }
            if let peer = next(listener) {
                asked.append(peer)
                failAttempt(&listener, with: peer)
            }
            listener.wait(milliseconds: 100)
        }
        #expect(asked == [.peer(1), .peer(2), .peer(3)])
        // After its pause the nearest peer comes first again.
        listener.wait(milliseconds: 2_000)
        #expect(next(listener) == .peer(1))
    }

    @Test func `HP-C20: an unsupported peer is probed again after 5 minutes, then ever more rarely`() throws {
        var listener = try Listener()
        listener.hear(.peer(1), -50, .candidate, times: 2)
        for pause in [300_000, 600_000, 1_200_000, 2_400_000, 3_600_000, 3_600_000] as [Interval] {
            listener.recorder.markUnsupported(.peer(1), now: listener.now, jitter: 0)
            for _ in 0..<pause / 5_000 - 1 {
                listener.wait(milliseconds: 5_000)
                listener.hear(.peer(1), -50, .candidate, times: 2)
                #expect(next(listener) == nil)
            }
            listener.wait(milliseconds: 5_000)
            listener.hear(.peer(1), -50, .candidate)
            #expect(next(listener) == .peer(1))
        }
    }

    @Test func `HP-C20: while candidates may not be probed, a participant is read all the same`() throws {
        var listener = try Listener()
        listener.hear(.peer(1), -40, .candidate, times: 2)
        #expect(next(listener, allowsCandidates: false) == nil)
        listener.hear(.peer(2), -90, times: 2)
        #expect(next(listener, allowsCandidates: false) == .peer(2))
        #expect(next(listener) == .peer(1))
    }

    @Test func `HP-C13: a candidate gets less time to answer than a participant`() {
        let policy = LinkPolicy()
        #expect(policy.connectTimeout(isCandidate: false, hasFailed: true) == 5_000)
        #expect(policy.connectTimeout(isCandidate: true, hasFailed: true) == 2_500)
    }

    @Test func `HP-C13: the first attempt at a peer is short, because the peer may be connecting itself`()
        throws
    {
        var listener = try Listener()
        listener.hear(.peer(1), -50, times: 2)
        let hasFailed = listener.recorder.exchanges.hasFailed(.peer(1), in: listener.recorder.peers)
        #expect(!hasFailed)
        #expect(LinkPolicy().connectTimeout(isCandidate: false, hasFailed: false) == 2_000)
        listener.recorder.exchanges.fail(with: .peer(1), in: listener.recorder.peers, now: 1_000, jitter: 0)
        let hasFailedNow = listener.recorder.exchanges.hasFailed(.peer(1), in: listener.recorder.peers)
        #expect(hasFailedNow)
    }

    @Test func `a peer that was heard only once is not chosen`() throws {
        var listener = try Listener()
        listener.hear(.peer(1), -30)
        #expect(next(listener) == nil)
        listener.hear(.peer(1), -30)
        #expect(next(listener) == .peer(1))
    }

    @Test(arguments: [LinkPolicy.Turn.nearest, .longestKnown])
    func `the address that a phone has just left comes after its present one`(_ turn: LinkPolicy.Turn) throws
    {
        var listener = try Listener()
        listener.hear(.peer(1), -50, times: 2)
        listener.wait(milliseconds: 1_200)
        listener.hear(.peer(2), -60, times: 2)
        #expect(next(listener, turn) == .peer(2))
        #expect(next(listener, turn, excluding: [.peer(2)]) == .peer(1))
    }

    @Test func `every other choice is the longest known peer with the fewest failures`() throws {
        var listener = try Listener()
        for number in 1...3 as ClosedRange<UInt64> { listener.hear(.peer(number), -80, times: 2) }
        listener.hear(.peer(4), -30, times: 2)
        #expect(next(listener) == .peer(4))
        #expect(next(listener, .longestKnown) == .peer(1))
        failAttempt(&listener, with: .peer(1))
        listener.wait(milliseconds: 3_000)
        #expect(next(listener, .longestKnown) == .peer(2))
        #expect(LinkPolicy.Turn.nearest.next == .longestKnown)
        #expect(LinkPolicy.Turn.longestKnown.next == .nearest)
    }

    /// Ten attackers with strong adverts at a time, each sending four times and never answering.
    @Test func `HP-C25: strong adverts from ever new addresses cannot keep the agent from a phone`() throws {
        var listener = try Listener {
            $0.peerCapacity = 4_096
            $0.entryCapacity = 4_096
        }
        let phone = DeviceAddress.peer(0)
        var turn = LinkPolicy.Turn.nearest
        var fakes = 0
        var attempts = 0
        for step in 0..<600 {
            for fake in 0..<10 as Range<UInt64> {
                listener.hear(.peer(1_000 + UInt64(step / 4) * 10 + fake), -30)
            }
            // The phone arrives long after the flood has begun.
            if step >= 200, step % 3 == 0 { listener.hear(phone, -85) }
            _ = listener.takeEntries()
            listener.wait(milliseconds: 100)
            // An attempt takes five seconds, and the pause after it as long.
            guard step % 100 == 99 else { continue }
            let choice = next(listener, turn)
            let peer = try #require(choice)
            turn = turn.next
            attempts += 1
            if peer == phone { break }
            fakes += 1
            failAttempt(&listener, with: peer)
        }
        #expect(attempts - fakes == 1, "the phone was asked")
        #expect(attempts <= 4)
    }

    @Test func `in a crowd, the choice is among the peers heard last`() throws {
        var listener = try Listener {
            $0.peerCapacity = 2_000
            $0.entryCapacity = 4_096
        }
        listener.hear(.peer(0), -30, times: 2)
        for number in 1...1_000 as ClosedRange<UInt64> { listener.hear(.peer(number), -60, times: 2) }
        #expect(next(listener) != .peer(0))
        listener.hear(.peer(0), -30)
        #expect(next(listener) == .peer(0))
    }
}
