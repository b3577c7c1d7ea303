import HCI
import Peers
import Testing

@Suite struct LinkPolicyTests {
    private func next(
        _ listener: borrowing Listener, excluding excluded: [DeviceAddress] = []
    ) -> DeviceAddress? {
        LinkPolicy().nextPeer(
            in: listener.recorder, nowMilliseconds: listener.now, excluding: { excluded.contains($0) })
    }

    @Test func theNearestIsAskedFirst() throws {
        var listener = try Listener()
        listener.hear(.peer(1), -80)
        listener.hear(.peer(2), -50)
        listener.hear(.peer(3), -70, .candidate)
        #expect(next(listener) == .peer(2))
        #expect(next(listener, excluding: [.peer(2)]) == .peer(3))
        #expect(next(listener, excluding: [.peer(2), .peer(3)]) == .peer(1))
    }

    @Test func passersByAndThoseWhoCannotBeConnectedToAreLeftAlone() throws {
        var listener = try Listener()
        listener.hear(.peer(1), -50, .passerBy)
        listener.hear(.peer(2), -50, isConnectable: false)
        listener.hear(.peer(3), nil)
        #expect(next(listener) == nil)
        listener.hear(.peer(2), -50, isConnectable: true)
        #expect(next(listener) == .peer(2))
    }

    @Test func onlyWhoWasHeardJustNowIsWorthATry() throws {
        var listener = try Listener()
        listener.hear(.peer(1), -50)
        listener.wait(milliseconds: 3_000)
        listener.hear(.peer(2), -90)
        #expect(next(listener) == .peer(1))
        listener.wait(milliseconds: 1_500)
        #expect(next(listener) == .peer(2))
        listener.wait(milliseconds: 3_000)
        #expect(next(listener) == nil)
    }

    @Test func anIdentityIsReadOnce() throws {
        var listener = try Listener()
        listener.hear(.peer(1))
        listener.recorder.exchangeStarted(with: .peer(1))
        #expect(next(listener) == nil)
        try listener.identify(.peer(1), as: [1, 2, 3])
        for _ in 0..<100 {
            listener.wait(milliseconds: 2_000)
            listener.hear(.peer(1))
            #expect(next(listener) == nil)
        }
    }

    @Test func aNearPeerThatNeverAnswersDoesNotStarveTheOthers() throws {
        var listener = try Listener()
        var asked: [DeviceAddress] = []
        for _ in 0..<6 {
            for number in 1...3 as ClosedRange<UInt64> {
                listener.hear(.peer(number), -40 - 10 * Int8(number))
            }
            if let peer = next(listener) {
                asked.append(peer)
                listener.recorder.exchangeStarted(with: peer)
                listener.recorder.exchangeFailed(with: peer, nowMilliseconds: listener.now, jitter: 0)
            }
            listener.wait(milliseconds: 100)
        }
        #expect(asked == [.peer(1), .peer(2), .peer(3)])
        // After its pause the nearest has its turn again.
        listener.wait(milliseconds: 2_000)
        #expect(next(listener) == .peer(1))
    }

    @Test func aStrangerIsAskedAgainOnlyAfterAMinute() throws {
        var listener = try Listener()
        listener.hear(.peer(1), -50, .candidate)
        listener.recorder.exchangeFoundStranger(.peer(1), nowMilliseconds: listener.now, jitter: 0)
        listener.wait(milliseconds: 59_000)
        listener.hear(.peer(1), -50, .candidate)
        #expect(next(listener) == nil)
        listener.wait(milliseconds: 1_000)
        #expect(next(listener) == .peer(1))
    }
}
