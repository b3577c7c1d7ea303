import FixedMemory
import HCI
import TestSupport
import Testing

@testable import Peers

@Suite struct WriteBackRulesTests {
    private let visible = WriteBackRules(
        ownDigest: 7, isVisible: true, readingInterval: 15_000, sharesPayloads: true)
    private let hidden = WriteBackRules(
        ownDigest: 7, isVisible: false, readingInterval: 15_000, sharesPayloads: true)

    private func peer(_ characteristic: SignalCharacteristic, written: UInt32 = 0) -> PeerSignals {
        var peer = PeerSignals()
        peer.characteristic = characteristic
        peer.writtenDigest = written
        return peer
    }

    @Test func `X6: while we advertise, nothing is due to Android phones`() {
        #expect(visible.due(peer(.compliant), now: 1_000_000) == nil)
        #expect(visible.due(peer(.compliant, written: 6), now: 1_000_000) == nil)
        #expect(visible.due(peer(.nonCompliant), now: 1_000_000) == .payload)
    }

    @Test func `HP-C06: without advertising, the payload is due first, and then readings`() {
        for characteristic in [SignalCharacteristic.compliant, .nonCompliant] {
            #expect(hidden.due(peer(characteristic), now: 0) == .payload)
            #expect(hidden.due(peer(characteristic, written: 7), now: 0) == .reading)
            #expect(hidden.due(peer(characteristic, written: 6), now: 0) == .payload)
        }
    }

    @Test func `nothing is due to a peer without a known signal characteristic`() {
        for characteristic in [SignalCharacteristic.unknown, .absent] {
            #expect(hidden.due(peer(characteristic), now: 0) == nil)
        }
    }

    @Test func `nothing is due from a board without an identity`() {
        var nobody = hidden
        nobody.ownDigest = 0
        #expect(nobody.due(peer(.compliant), now: 0) == nil)
    }

    @Test func `only iPhones get shared payloads`() {
        var written = peer(.nonCompliant, written: 7)
        written.nextReading = 50_000
        #expect(hidden.due(written, now: 10_000) == .sharing)
        written.characteristic = .compliant
        #expect(hidden.due(written, now: 10_000) == nil)
        #expect(visible.due(peer(.nonCompliant, written: 7), now: 0) == .sharing)
    }

    @Test func `only an iPhone is woken, after a minute of silence and where it is enabled`() {
        var waking = visible
        waking.wakesIPhones = true
        var written = peer(.nonCompliant, written: 7)
        written.nextSharing = .distantFuture
        written.nextWake = 60_000
        #expect(waking.due(written, now: 59_999) == nil)
        #expect(waking.due(written, now: 60_000) == .wake)
        #expect(visible.due(written, now: 60_000) == nil)
        #expect(waking.due(peer(.nonCompliant), now: 60_000) == .payload)
        written.characteristic = .compliant
        #expect(waking.due(written, now: 60_000) == nil)
        waking.isVisible = false
        #expect(waking.due(written, now: 60_000) == .reading)
        written.nextReading = .distantFuture
        #expect(waking.due(written, now: 60_000) == nil)
    }

    @Test func `pauses after failures double up to ten minutes`() {
        var peer = peer(.compliant)
        var pauses: [Interval] = []
        for _ in 0..<8 {
            peer.fail(now: 1_000, jitter: 0)
            pauses.append((peer.pausedUntil - 1_000) / 1_000)
        }
        #expect(pauses == [15, 30, 60, 120, 240, 480, 600, 600])
        #expect(hidden.due(peer, now: 600_999) == nil)
        #expect(hidden.due(peer, now: 601_000) == .payload)
    }

    // MARK: Payloads shared with each receiver

    private func key(_ number: UInt64) -> PeerKey { PeerKey(DeviceAddress(value: number, isRandom: true)) }

    @Test func `a payload is shared once with each peer`() throws {
        var book = try SharingBook()
        for receiver in 1...3 as ClosedRange<UInt64> {
            let first = book.take(77, for: key(receiver))
            book.confirm(key(receiver))
            let second = book.take(77, for: key(receiver))
            #expect(first && !second)
        }
    }

    @Test func `a payload that did not arrive is shared again`() throws {
        var book = try SharingBook()
        _ = book.take(1, for: key(1))
        book.confirm(key(1))
        _ = book.take(2, for: key(1))
        _ = book.take(3, for: key(1))
        book.withdraw(key(1))
        let answers = [1, 2, 3].map { book.take($0, for: key(1)) }
        #expect(answers == [false, true, true])
    }

    @Test func `the last 64 payloads of 32 receivers are remembered`() throws {
        var book = try SharingBook()
        for digest in 1...1_000 as ClosedRange<UInt32> {
            let isNew = book.take(digest, for: key(1))
            #expect(isNew)
            book.confirm(key(1))
        }
        let last = book.take(937, for: key(1))
        #expect(!last)
        let older = book.take(936, for: key(1))
        #expect(older)
        book.confirm(key(1))
        for receiver in 2...32 as ClosedRange<UInt64> {
            _ = book.take(5, for: key(receiver))
            book.confirm(key(receiver))
        }
        let known = book.take(1_000, for: key(1))
        #expect(!known)
        for receiver in 33...63 as ClosedRange<UInt64> {
            _ = book.take(5, for: key(receiver))
            book.confirm(key(receiver))
        }
        let stillKnown = book.take(1_000, for: key(1))
        #expect(!stillKnown, "it was looked up in between")
        let forgotten = book.take(5, for: key(2))
        #expect(forgotten)
    }
}
