import EncounterLog
import FixedMemory
import HCI
import Schemes
import TestSupport
import Testing

@testable import Peers

@Suite struct ExchangeLedgerTests {
    private func makePeer(_ number: UInt64, in peers: inout PeerTable) -> Int {
        let slot = peers.insert(at: .peer(number))
        peers.raiseInterest(of: slot, to: .participant)
        return slot
    }

    @Test func `A read is due until it succeeds, and pauses after a failure`() throws {
        var peers = try PeerTable(capacity: 4, hashSeed: 1)
        var ledger = try ExchangeLedger(capacity: 4, heardHints: PeerHintSet())
        let slot = makePeer(1, in: &peers)
        #expect(ledger.isConnectionDue(to: slot, in: peers, now: 0) == true)
        ledger.start(with: .peer(1), in: &peers)
        #expect(ledger.isConnectionDue(to: slot, in: peers, now: 0) == false)
        ledger.fail(with: .peer(1), in: peers, now: 0, jitter: 0)
        #expect(ledger.isConnectionDue(to: slot, in: peers, now: 1_999) == false)
        #expect(ledger.isReadDue(from: .peer(1), in: peers, now: 2_000) == true)
        #expect(ledger.hasFailed(.peer(1), in: peers) == true)
        ledger.store(try identity([1]), of: slot)
        ledger.succeed(slot, now: 2_000)
        #expect(ledger.isReadDue(from: .peer(1), in: peers, now: 901_999) == false)
        #expect(ledger.needsIdentity(of: .peer(1), in: peers) == false)
        #expect(ledger[slot].hasIdentity == true)
    }

    @Test func `an identity is read again after a quarter of an hour, and after failures more rarely`() throws
    {
        var peers = try PeerTable(capacity: 4, hashSeed: 1)
        var ledger = try ExchangeLedger(capacity: 4, heardHints: PeerHintSet())
        let slot = makePeer(1, in: &peers)
        ledger.store(try identity([1]), of: slot)
        ledger.succeed(slot, now: 0)
        #expect(ledger.isConnectionDue(to: slot, in: peers, now: 899_999) == false)
        #expect(ledger.isConnectionDue(to: slot, in: peers, now: 900_000) == true)
        #expect(ledger.wantsRead(of: .peer(1), isOurs: true, in: peers, now: 900_000) == true)
        ledger.fail(with: .peer(1), in: peers, now: 900_000, jitter: 0)
        #expect(ledger.isConnectionDue(to: slot, in: peers, now: 929_999) == false)
        #expect(ledger.isConnectionDue(to: slot, in: peers, now: 930_000) == true)
        ledger.confirm(slot, now: 930_000)
        #expect(ledger.isConnectionDue(to: slot, in: peers, now: 1_829_999) == false)
        #expect(ledger[slot].progress == .done, "it stays identified all the time")
    }

    @Test func `after a move an identity is read again, at once at first and then ever more rarely`() throws {
        var peers = try PeerTable(capacity: 4, hashSeed: 1)
        var ledger = try ExchangeLedger(capacity: 4, heardHints: PeerHintSet())
        let slot = makePeer(1, in: &peers)
        ledger.store(try identity([1]), of: slot)
        ledger.succeed(slot, now: 0)
        var reads: [UInt64] = []
        for second in 1...3_600 as ClosedRange<UInt64> {
            let now = Instant.start + .seconds(second)
            if second.isMultiple(of: 5) { ledger.move(slot, now: now) }
            guard ledger.isConnectionDue(to: slot, in: peers, now: now) else { continue }
            reads.append(second)
            ledger.confirm(slot, now: now)
        }
        #expect(reads == [65, 190, 435, 920, 1_820, 2_720])
    }

    @Test func `A running attempt to connect does not defer a read over the peer's own link`() throws {
        var peers = try PeerTable(capacity: 4, hashSeed: 1)
        var ledger = try ExchangeLedger(capacity: 4, heardHints: PeerHintSet())
        let slot = makePeer(1, in: &peers)
        ledger.fail(with: .peer(1), in: peers, now: 0, jitter: 0)
        ledger.start(with: .peer(1), in: &peers)
        #expect(ledger.isConnectionDue(to: slot, in: peers, now: 2_000) == false)
        #expect(ledger.isReadDue(from: .peer(1), in: peers, now: 1_999) == false)
        #expect(ledger.isReadDue(from: .peer(1), in: peers, now: 2_000) == true)
    }

    @Test func `Another identity is new after a minute, and too soon before`() throws {
        var ledger = try ExchangeLedger(capacity: 1, heardHints: PeerHintSet())
        let (one, other) = (try identity([1]), try identity([2]))
        #expect(ledger.verdict(on: one, of: 0, now: 0) == .new)
        ledger.store(one, of: 0)
        ledger.succeed(0, now: 0)
        #expect(ledger.verdict(on: one, of: 0, now: 0) == .known)
        #expect(ledger.verdict(on: other, of: 0, now: 59_999) == .tooSoon)
        #expect(ledger.verdict(on: other, of: 0, now: 60_000) == .new)
        ledger.forget(0, isIdentified: true)
        #expect(ledger.verdict(on: one, of: 0, now: 0) == .new, "another peer has the slot")
    }

    @Test func `A peer is found by its identity, under its present key`() throws {
        var peers = try PeerTable(capacity: 4, hashSeed: 1)
        var ledger = try ExchangeLedger(capacity: 4, heardHints: PeerHintSet())
        for number in [1, 2] as [UInt64] {
            let slot = makePeer(number, in: &peers)
            peers.confirm(slot)
            ledger.store(try identity([7, UInt8(number)]), of: slot)
            ledger.succeed(slot, now: 0)
        }
        let slot = ledger.newestPeer(identifiedAs: try identity([7, 2]), in: peers)
        #expect(slot == peers.find(.peer(2)))
        let digest = IdentityDigest.of(try identity([7, 2]))
        let key = ledger.successor(of: PeerKey(.peer(9)), identityDigest: digest, in: peers)
        #expect(key == PeerKey(.peer(2)))
    }

    @Test func `A search for schemes is due again after its pause, and rests the read of Herald`() throws {
        var hints = PeerHintSet()
        hints.insert(.sonar)
        var peers = try PeerTable(capacity: 4, hashSeed: 1)
        var ledger = try ExchangeLedger(capacity: 4, heardHints: hints)
        let slot = makePeer(1, in: &peers)
        #expect(ledger.isSchemeSearchDue(on: .peer(1), in: peers, now: 0) == true)
        ledger.schemeSearchEnded(on: .peer(1), hasFound: true, in: peers, now: 0)
        #expect(ledger.isSchemeSearchDue(on: .peer(1), in: peers, now: 899_999) == false)
        #expect(ledger.isConnectionDue(to: slot, in: peers, now: 899_999) == false)
        #expect(ledger.isConnectionDue(to: slot, in: peers, now: 900_000) == true)
    }
}

@Suite struct SchemeLedgerTests {
    private func makeLedger() throws -> SchemeLedger {
        var hints = PeerHintSet()
        hints.insert(.covidTracer)
        return try SchemeLedger(capacity: 2, heardHints: hints)
    }

    @Test func `An identity that was read replaces a written one at once`() throws {
        var ledger = try makeLedger()
        let place = ledger.places(of: 1).lowerBound + (SchemeID.covidTracer.linkIndex ?? 0)
        let key = PeerKey(.peer(1))
        let bytes: [UInt8] = [1, 2]
        let buffer = FixedBuffer<129>(bytes.span)
        let written = try #require(buffer)
        ledger.store(written, marks: .written, at: place, of: key, now: 0)
        let other: [UInt8] = [3, 4]
        func verdict(_ marks: IdentityMarks, now: Instant, _ key: PeerKey) -> IdentityVerdict {
            ledger.verdict(on: other.span, of: .covidTracer, marks: marks, at: place, of: key, now: now)
        }
        #expect(verdict(.none, now: 0, key) == .new)
        #expect(verdict(.written, now: 59_999, key) == .tooSoon)
        #expect(verdict(.written, now: 60_000, key) == .new)
        #expect(verdict(.written, now: 0, PeerKey(.peer(2))) == .new, "it is of another peer")
    }

    @Test func `An advertised identity counts only for the key that advertised it`() throws {
        var ledger = try makeLedger()
        let bytes: [UInt8] = [5, 6]
        let advertised = AdvertisedIdentity(.dp3t, bytes.span)
        let identity = try #require(advertised)
        let key = PeerKey(.peer(1))
        #expect(ledger.take(identity, of: 0, key, now: 0) == .new)
        #expect(ledger.take(identity, of: 0, key, now: 0) == .known)
        #expect(ledger.advertisedIdentity(of: 0, key) == identity)
        #expect(ledger.advertisedIdentity(of: 0, PeerKey(.peer(2))) == nil)
        #expect(ledger.advertisedIdentity(of: 1, key) == nil)
    }

    @Test func `A ledger without schemes has no places, and no search is due`() throws {
        let ledger = try SchemeLedger(capacity: 2, heardHints: PeerHintSet())
        #expect(ledger.places(of: 1) == 0..<0)
        #expect(ledger.isSearchDue(1, PeerKey(.peer(1)), now: 0) == false)
    }
}
