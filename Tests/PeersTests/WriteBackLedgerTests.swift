import FixedMemory
import HCI
import Testing

@testable import Peers

/// Two peers that have given identities of one length, with the ledgers alone: no recorder.
private struct Pair: ~Copyable {
    var peers: PeerTable
    var exchanges: ExchangeLedger
    var writeBacks: WriteBackLedger
    let rules = WriteBackRules(ownDigest: 7, isVisible: true, readingInterval: 15_000, sharesPayloads: true)

    init() throws {
        var peers = try PeerTable(capacity: 4, hashSeed: 1)
        var exchanges = try ExchangeLedger(capacity: 4, heardHints: PeerHintSet())
        let writeBacks = try WriteBackLedger(capacity: 4)
        let identities = [try identity([1, 9]), try identity([2, 9])]
        for (index, identity) in identities.enumerated() {
            let slot = peers.insert(at: .peer(UInt64(index) + 1))
            peers.raiseInterest(of: slot, to: .participant)
            peers.confirm(slot)
            peers.touch(slot, now: 0)
            exchanges.store(identity, of: slot)
            exchanges.succeed(slot, now: 0)
        }
        self.peers = peers
        self.exchanges = exchanges
        self.writeBacks = writeBacks
    }

    func due(_ number: UInt64 = 1, now: Instant) -> WriteBack? {
        writeBacks.due(to: .peer(number), in: peers, exchanges, rules, now: now)
    }

    mutating func complete(_ what: WriteBack, now: Instant) {
        writeBacks.complete(what, to: .peer(1), in: peers, rules, now: now)
    }

    mutating func shared(now: Instant) -> [UInt8]? {
        var payloads = FixedBuffer<507>()
        let isAny = writeBacks.takePayloads(
            toShareWith: .peer(1), into: &payloads, from: peers, exchanges, now: now)
        return isAny ? (0..<payloads.count).map { payloads[$0] } : nil
    }
}

@Suite struct WriteBackLedgerTests {
    @Test func `Our payload is due first, then payloads of others, each after an acknowledgement`() throws {
        var pair = try Pair()
        #expect(pair.due(now: 0) == nil, "no link has shown where to write")
        pair.writeBacks.record(.nonCompliant, of: .peer(1), in: pair.peers)
        #expect(pair.due(now: 0) == .payload)
        pair.complete(.payload, now: 0)
        #expect(pair.due(now: 0) == .sharing)
        pair.complete(.sharing, now: 0)
        #expect(pair.due(now: 14_999) == nil)
        #expect(pair.due(now: 15_000) == .sharing)
    }

    @Test func `A failure pauses the writes to that peer alone`() throws {
        var pair = try Pair()
        for number in [1, 2] as [UInt64] {
            pair.writeBacks.record(.nonCompliant, of: .peer(number), in: pair.peers)
        }
        pair.writeBacks.fail(to: .peer(1), in: pair.peers, now: 0, jitter: 0)
        #expect(pair.due(now: 14_999) == nil)
        #expect(pair.due(now: 15_000) == .payload)
        #expect(pair.due(2, now: 0) == .payload)
    }

    @Test func `An identity is shared once, and again if it did not arrive`() throws {
        var pair = try Pair()
        #expect(pair.shared(now: 1) == [2, 9])
        pair.writeBacks.fail(to: .peer(1), in: pair.peers, now: 1, jitter: 0)
        #expect(pair.shared(now: 2) == [2, 9])
        pair.complete(.sharing, now: 2)
        #expect(pair.shared(now: 3) == nil)
    }

    @Test func `The next write goes to the peer that has waited longest, unless it is excluded`() throws {
        var pair = try Pair()
        for slot in 0..<2 { pair.peers.slots[slot].isConnectable = true }
        for number in [1, 2] as [UInt64] {
            pair.writeBacks.record(.nonCompliant, of: .peer(number), in: pair.peers)
        }
        pair.writeBacks.fail(to: .peer(2), in: pair.peers, now: 0, jitter: 0)
        for slot in 0..<2 { pair.peers.touch(slot, now: 20_000) }
        let first = LinkPolicy().nextWriteBack(
            in: pair.peers, pair.exchanges, &pair.writeBacks, pair.rules, now: 20_000)
        #expect(first == .peer(1))
        let other = LinkPolicy().nextWriteBack(
            in: pair.peers, pair.exchanges, &pair.writeBacks, pair.rules, now: 20_000,
            excluding: { $0 == .peer(1) })
        #expect(other == .peer(2))
    }

    @Test func `The MTU is not requested on the link after one without an answer`() throws {
        var pair = try Pair()
        pair.writeBacks.markMTUUnanswered(by: .peer(1), in: pair.peers)
        let requests = [
            pair.writeBacks.takeMTURequest(for: .peer(1), in: pair.peers),
            pair.writeBacks.takeMTURequest(for: .peer(1), in: pair.peers),
        ]
        #expect(requests == [false, true])
    }

    @Test func `A slot shows nothing of the peer that had it before`() throws {
        var peers = try PeerTable(capacity: 1, hashSeed: 1)
        var ledger = try WriteBackLedger(capacity: 1)
        let first = peers.insert(at: .peer(1))
        ledger.record(.nonCompliant, of: .peer(1), in: peers)
        peers.remove(first)
        let second = peers.insert(at: .peer(2))
        let characteristic = ledger.state(of: second, peers.slots[second].key).characteristic
        #expect(first == second && characteristic == .unknown)
    }
}
