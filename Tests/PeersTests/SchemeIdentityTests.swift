import EncounterLog
import FixedMemory
import HCI
import Peers
import Schemes
import TestSupport
import Testing

/// Peers with identities of schemes other than Herald, read or written over links.
@Suite struct SchemeIdentityTests {
    @Test func `An encounter has an identity of each scheme beside Herald's`() throws {
        var listener = try Listener.ofAllSchemes()
        listener.hear(.peer(1))
        try listener.identify(.peer(1), as: [0x10, 1, 2])
        try listener.name(.peer(1), sonar(1), .sonar)
        try listener.name(.peer(1), bytes(20, 2), .covidTracer)
        try listener.name(.peer(1), bytes(8, 3), .bleProximity)
        let entries = listener.takeEntries()
        #expect(entries.map(\.name) == ["opened"] + [String](repeating: "identified", count: 4))
        let identified = entries.compactMap(\.identified)
        #expect(
            identified.map(\.scheme) == [
                SchemeCode(.herald), SchemeCode(.sonar), SchemeCode(.covidTracer), SchemeCode(.bleProximity),
            ])
        #expect(identified.map { $0.identity.count } == [3, 129, 20, 8])
        #expect(Set(identified.map(\.encounter)).count == 1)
    }

    @Test
    func `A peer found by a scheme's service alone is a participant, recorded from the first advert`()
        throws
    {
        var listener = try Listener.ofAllSchemes()
        listener.hear(.peer(1), foundBy: .sonar)
        listener.now += 2_000
        try listener.name(.peer(1), sonar(1), .sonar)
        let entries = listener.takeEntries()
        #expect(entries.first?.opened?.foundBy == .sonar)
        #expect(entries.compactMap(\.identified).map(\.instant) == [listener.now])
    }

    @Test func `A later encounter has the identities of every scheme again`() throws {
        var listener = try Listener.ofAllSchemes()
        listener.hear(.peer(1))
        try listener.name(.peer(1), bytes(20, 2), .covidTracer)
        try listener.name(.peer(1), bytes(8, 3), .bleProximity, .written)
        listener.wait(milliseconds: 60_000)
        _ = listener.takeEntries()
        listener.hear(.peer(1))
        let entries = listener.takeEntries()
        #expect(entries.map(\.name) == ["opened", "identified", "identified"])
        #expect(entries.compactMap(\.identified).map(\.marks) == [.none, .written])
    }

    @Test func `Sonar's payload with another time and code is the same identity`() throws {
        var listener = try Listener.ofAllSchemes()
        listener.hear(.peer(1))
        try listener.name(.peer(1), sonar(1, time: 1), .sonar)
        listener.now += 120_000
        try listener.name(.peer(1), sonar(1, time: 2), .sonar)
        #expect(listener.takeEntries().compactMap(\.identified).count == 1)
        try listener.name(.peer(1), sonar(2, time: 2), .sonar)
        #expect(listener.takeEntries().compactMap(\.identified).count == 1)
    }

    @Test func `Another identity is accepted once a minute, and counted otherwise`() throws {
        var listener = try Listener.ofAllSchemes()
        listener.hear(.peer(1))
        var identified: [EncounterIdentifiedEntry] = []
        for number in 1...120 as ClosedRange<UInt8> {
            try listener.name(.peer(1), bytes(8, number), .bleProximity, .written)
            identified += listener.takeEntries().compactMap(\.identified)
            listener.now += 1_000
        }
        #expect(identified.map(\.identity) == [try identity(bytes(8, 1)), try identity(bytes(8, 61))])
        #expect(listener.recorder.counters.refusedIdentities == 118)
    }

    @Test func `An identity that was read replaces a written one at once, and is marked so`() throws {
        var listener = try Listener.ofAllSchemes()
        listener.hear(.peer(1))
        try listener.name(.peer(1), bytes(8, 1), .bleProximity, .written)
        #expect(listener.takeEntries().compactMap(\.identified).map(\.marks) == [.written])
        try listener.name(.peer(1), bytes(8, 1), .bleProximity)
        #expect(listener.takeEntries().compactMap(\.identified).map(\.marks) == [.none])
        try listener.name(.peer(1), bytes(8, 1), .bleProximity, .written)
        #expect(listener.takeEntries().isEmpty)
    }

    @Test func `A peer that wrote its identity and was never heard has no encounter`() throws {
        var listener = try Listener.ofAllSchemes()
        try listener.name(.peer(1), bytes(8, 1), .bleProximity, .written)
        #expect(listener.takeEntries().isEmpty)
        listener.hear(.peer(1))
        #expect(listener.takeEntries().map(\.name) == ["opened", "identified"])
    }

    @Test func `A reused slot does not pass on its former peer's scheme identity`() throws {
        var listener = try Listener.ofAllSchemes { $0.peerCapacity = 1 }
        listener.hear(.peer(1), nil, .candidate)
        try listener.name(.peer(1), bytes(20, 1), .covidTracer)
        listener.wait(milliseconds: 1_000_000)
        listener.hear(.peer(2))
        #expect(listener.takeEntries().map(\.name) == ["opened"])
    }

    @Test func `Identities of schemes that are not enabled are ignored`() throws {
        var listener = try Listener()
        listener.hear(.peer(1))
        try listener.name(.peer(1), bytes(8, 1), .bleProximity, .written)
        #expect(listener.takeEntries().map(\.name) == ["opened"])
        var other = try Listener { $0.heardHints.insert(.sonar) }
        other.hear(.peer(1))
        try other.name(.peer(1), bytes(8, 1), .bleProximity, .written)
        #expect(other.takeEntries().map(\.name) == ["opened"])
    }

    @Test func `An invalid identity is recorded with the reason, and identifies no device`() throws {
        var listener = try Listener.ofAllSchemes()
        listener.hear(.peer(1), foundBy: .sonar)
        let said = sonar(1)
        listener.recorder.refuse(said.span, of: .sonar, from: .peer(1), because: .notOfNow, now: listener.now)
        let entries = listener.takeEntries()
        #expect(entries.map(\.name) == ["opened", "refused"])
        let refused = try #require(entries.last?.refused)
        #expect(refused.encounter == entries.first?.opened?.encounter)
        #expect(refused.scheme.id == .sonar)
        #expect(refused.reason == .notOfNow)
        #expect(refused.bytes == (try identity(said)))
        #expect(listener.recorder.counters.refusedIdentities == 1)
    }

    @Test func `An identified peer is read again after a quarter of an hour`() throws {
        var listener = try Listener.ofAllSchemes()
        listener.hear(.peer(1), times: 2)
        listener.expect(.peer(1), isNext: true)
        try listener.name(.peer(1), bytes(20, 1), .covidTracer)
        listener.recorder.exchanges.schemeSearchEnded(
            on: .peer(1), hasFound: true, in: listener.recorder.peers, now: listener.now)
        listener.now += 899_000
        listener.hear(.peer(1), times: 2)
        listener.expect(.peer(1), isNext: false)
        listener.now += 1_000
        listener.expect(.peer(1), isNext: true)
    }

    @Test func `A peer that wrote its Herald payload is read for other schemes, and left alone without one`()
        throws
    {
        var listener = try Listener.ofAllSchemes()
        listener.hear(.peer(1), times: 2)
        try listener.identify(.peer(1), as: [0x10, 1])
        listener.expect(.peer(1), isNext: true)
        // The attempt fails this time.
        listener.recorder.exchanges.fail(
            with: .peer(1), in: listener.recorder.peers, now: listener.now, jitter: 0)
        listener.expect(.peer(1), isNext: false)
        listener.now += 2_000
        listener.expect(.peer(1), isNext: true)
        listener.recorder.exchanges.schemeSearchEnded(
            on: .peer(1), hasFound: false, in: listener.recorder.peers, now: listener.now)
        // No other failure makes it due again.
        listener.recorder.exchanges.fail(
            with: .peer(1), in: listener.recorder.peers, now: listener.now, jitter: 0)
        listener.now += 800_000
        listener.hear(.peer(1), times: 2)
        listener.expect(.peer(1), isNext: false)
    }

    @Test func `Without enabled schemes the agent never again reads a peer with its Herald identity`() throws
    {
        var listener = try Listener()
        listener.hear(.peer(1), times: 2)
        try listener.identify(.peer(1), as: [0x10, 1])
        listener.expect(.peer(1), isNext: false)
    }
}

private func bytes(_ count: Int, _ value: UInt8) -> [UInt8] { [UInt8](repeating: value, count: count) }

/// Bytes of a payload's length: the naming part is filled with one number, and the rest with another.
private func sonar(_ name: UInt8, time: UInt8 = 0) -> [UInt8] { bytes(108, name) + bytes(21, time) }

extension Listener {
    fileprivate static func ofAllSchemes(
        _ change: (inout RecorderSettings) -> Void = { _ in }
    ) throws -> Listener {
        try Listener {
            for hint in [PeerHint.sonar, .covidTracer, .bleProximity] { $0.heardHints.insert(hint) }
            change(&$0)
        }
    }

    fileprivate mutating func name(
        _ peer: DeviceAddress, _ bytes: [UInt8], _ scheme: SchemeID, _ marks: IdentityMarks = .none
    ) throws {
        recorder.identify(peer, as: bytes.span, of: scheme, marks: marks, now: now)
    }

    /// Checks whether the policy chooses this peer next.
    fileprivate func expect(
        _ peer: DeviceAddress, isNext: Bool, sourceLocation: SourceLocation = #_sourceLocation
    ) {
        let next = LinkPolicy().nextPeer(in: recorder.peers, recorder.exchanges, turn: .nearest, now: now)
        #expect((next == peer) == isNext, sourceLocation: sourceLocation)
    }
}
