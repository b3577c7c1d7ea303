import EncounterLog
import FixedMemory
import HCI
import Testing

@testable import Peers

/// Writes of peers to the board, which may be false.
@Suite struct WrittenEvidenceTests {
    @Test func `a written identity is marked, and does not stop the reading`() throws {
        var listener = try Listener()
        listener.hear(.peer(1), times: 2)
        try listener.write([0x10, 1], by: .peer(1))
        #expect(listener.takeEntries().compactMap(\.identified).map(\.marks) == [.written])
        #expect(listener.needsIdentity(of: .peer(1)) == true)
        let next = LinkPolicy().nextPeer(
            in: listener.recorder.peers, listener.recorder.exchanges, turn: .nearest, now: listener.now)
        #expect(next == .peer(1))
    }

    @Test func `an identity that was read replaces a written one at once`() throws {
        var listener = try Listener()
        listener.hear(.peer(1))
        try listener.write([0x10, 1], by: .peer(1))
        try listener.identify(.peer(1), as: [0x10, 2])
        let identified = listener.takeEntries().compactMap(\.identified)
        #expect(identified.last?.marks == IdentityMarks.none)
        #expect(identified.last?.identity == (try identity([0x10, 2])))
    }

    @Test func `a written identity that was read as well is logged as read`() throws {
        var listener = try Listener()
        listener.hear(.peer(1))
        try listener.write([0x10, 1], by: .peer(1))
        #expect(listener.takeEntries().compactMap(\.identified).map(\.marks) == [.written])
        try listener.identify(.peer(1), as: [0x10, 1])
        try listener.write([0x10, 1], by: .peer(1))
        #expect(listener.takeEntries().compactMap(\.identified).map(\.marks) == [.none])
    }

    @Test func `a written identity that contradicts the one read is logged once, and changes nothing`() throws
    {
        var listener = try Listener()
        listener.hear(.peer(1))
        try listener.identify(.peer(1), as: [0x10, 1])
        _ = listener.takeEntries()
        for _ in 0..<5 {
            try listener.write([0x10, 9], by: .peer(1))
            listener.now += 20_000
            listener.hear(.peer(1))
        }
        let identified = listener.takeEntries().compactMap(\.identified)
        let written = try identity([0x10, 9])
        #expect(identified.map(\.identity) == [written])
        #expect(identified.map(\.marks) == [.written])
        listener.wait(milliseconds: 31_000)
        listener.hear(.peer(1))
        let later = listener.takeEntries().compactMap(\.identified).map(\.identity)
        let read = try identity([0x10, 1])
        #expect(later == [read])
    }

    @Test func `a written identity joins no peers`() throws {
        var listener = try Listener()
        listener.hear(.peer(1))
        try listener.identify(.peer(1), as: [0x10, 1])
        listener.now += 1_000
        listener.hear(.peer(2))
        try listener.write([0x10, 1], by: .peer(2))
        #expect(listener.recorder.peers.count == 2)
        #expect(listener.recorder.counters.merged == 0)
    }

    @Test func `a written RSSI of a peer that is heard changes nothing`() throws {
        var listener = try Listener()
        listener.hear(.peer(1), -80)
        for _ in 0..<100 { try listener.takeReading(-20, writtenBy: .peer(1)) }
        listener.wait(milliseconds: 31_000)
        let entries = listener.takeEntries()
        #expect(entries.map(\.name) == ["opened", "sample", "closed"])
        #expect(entries.compactMap(\.sample).map(\.maximumRSSIDBm) == [-80])
        #expect(entries.compactMap(\.closed).map(\.readings) == [1])
        #expect(listener.recorder.counters.reports == 1)
    }

    @Test func `a written RSSI is recorded every ten seconds, in a claimed encounter`() throws {
        var listener = try Listener()
        for _ in 0..<100 {
            try listener.takeReading(-50, writtenBy: .peer(1))
            listener.wait(milliseconds: 1_000)
        }
        listener.wait(milliseconds: 31_000)
        let entries = listener.takeEntries()
        #expect(entries.compactMap(\.opened).map(\.foundBy) == [.connectedToUs])
        #expect(entries.compactMap(\.details).count == 10)
        #expect(entries.compactMap(\.sample).isEmpty)
        #expect(entries.compactMap(\.closed).map(\.readings) == [0])
    }

    @Test func `what is measured begins an encounter of its own behind a claimed one`() throws {
        var listener = try Listener()
        try listener.takeReading(-50, writtenBy: .peer(1))
        let claimed = listener.now
        listener.now += 5_000
        listener.hear(.peer(1), -80)
        listener.wait(milliseconds: 31_000)
        let entries = listener.takeEntries()
        #expect(entries.map(\.name) == ["opened", "details", "closed", "opened", "sample", "closed"])
        #expect(entries.compactMap(\.closed).first?.instant == claimed)
        #expect(entries.compactMap(\.opened).last?.instant == claimed + 5_000)
    }

    @Test func `an identity read before counts as written in a claimed encounter`() throws {
        var listener = try Listener()
        listener.hear(.peer(1))
        try listener.identify(.peer(1), as: [0x10, 1])
        listener.wait(milliseconds: 31_000)
        _ = listener.takeEntries()
        try listener.takeReading(-50, writtenBy: .peer(1))
        #expect(listener.takeEntries().compactMap(\.identified).map(\.marks) == [.written])
    }

    @Test func `peers that write RSSI under ever new addresses cannot fill the log`() throws {
        var listener = try Listener {
            $0.peerCapacity = 4_096
            $0.entryCapacity = 16_384
        }
        var claims = 0
        for number in 0..<6_000 as Range<UInt64> {
            try listener.takeReading(-50, writtenBy: .peer(number))
            listener.now += 10
            claims += listener.takeEntries().compactMap(\.details).count
        }
        #expect(claims <= 60 + 120, "a burst, and two a second")
    }

    @Test func `a link that a connectable peer opened neither reads it again nor delays its reading`() throws
    {
        var listener = try Listener()
        listener.hear(.peer(1), times: 2)
        listener.recorder.exchanges.start(with: .peer(1), in: &listener.recorder.peers)
        listener.recorder.exchanges.fail(
            with: .peer(1), in: listener.recorder.peers, isOurs: false, now: listener.now, jitter: 0)
        let found = listener.recorder.peers.find(.peer(1))
        let slot = try #require(found)
        #expect(listener.recorder.exchanges[slot].failures == 0)
        let isDue = listener.recorder.exchanges.isConnectionDue(
            to: slot, in: listener.recorder.peers, now: listener.now)
        #expect(isDue)
        try listener.identify(.peer(1), as: [0x10, 1])
        listener.now += 900_000
        listener.hear(.peer(1))
        let ours = listener.recorder.exchanges.wantsRead(
            of: .peer(1), isOurs: true, in: listener.recorder.peers, now: listener.now)
        let theirs = listener.recorder.exchanges.wantsRead(
            of: .peer(1), isOurs: false, in: listener.recorder.peers, now: listener.now)
        #expect(ours && !theirs)
    }
}
