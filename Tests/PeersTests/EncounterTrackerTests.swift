import EncounterLog
import FixedMemory
import HCI
import TestSupport
import Testing

@testable import Peers

/// The tracker with a peer table alone: no recorder.
@Suite struct EncounterTrackerTests {
    private func makeTracker() throws -> EncounterTracker {
        var settings = RecorderSettings()
        settings.peerCapacity = 2
        settings.entryCapacity = 8
        return try EncounterTracker(settings)
    }

    private func names(_ queue: inout EntryQueue) -> [String] {
        var names: [String] = []
        while let entry = queue.entries.first {
            switch entry {
            case .opened: names.append("opened")
            case .sample(let sample): names.append("sample of \(sample.readings)")
            case .closed(let track): names.append("closed after \(track.readings)")
            default: names.append("other")
            }
            queue.dropFirst()
        }
        return names
    }

    @Test func `Readings become an encounter of samples, which ends with the encounter timeout`() throws {
        var peers = try PeerTable(capacity: 2, hashSeed: 1)
        var tracker = try makeTracker()
        let slot = peers.insert(at: .peer(1))
        peers.raiseInterest(of: slot, to: .participant)
        peers.slots[slot].isIdentified = true
        let rssi = try #require(RSSI(dBm: -60))
        var opened: [Bool] = []
        for now in [0, 4_000, 8_000] as [Instant] {
            opened.append(tracker.add(rssi, of: slot, in: &peers, now: now))
        }
        #expect(opened == [true, false, false])
        #expect(tracker.openCount == 1)
        var isHeld = false
        let hasEndedEarly = tracker.advance(slot, in: &peers, isHeldAtEnd: &isHeld, now: 38_000)
        #expect(!hasEndedEarly)
        let hasEnded = tracker.advance(slot, in: &peers, isHeldAtEnd: &isHeld, now: 38_001)
        #expect(hasEnded)
        #expect(names(&tracker.queue) == ["opened", "sample of 2", "sample of 1", "closed after 3"])
        #expect(tracker.openCount == 0 && tracker.writtenCount == 1)
    }

    @Test func `A candidate's encounter waits until the peer takes part`() throws {
        var peers = try PeerTable(capacity: 2, hashSeed: 1)
        var tracker = try makeTracker()
        let slot = peers.insert(at: .peer(1))
        peers.raiseInterest(of: slot, to: .candidate)
        let rssi = try #require(RSSI(dBm: -60))
        let hasOpened = tracker.add(rssi, of: slot, in: &peers, now: 0)
        _ = tracker.add(rssi, of: slot, in: &peers, now: 9_000)
        #expect(!hasOpened)
        #expect(names(&tracker.queue).isEmpty)
        peers.raiseInterest(of: slot, to: .participant)
        peers.slots[slot].isIdentified = true
        let (isWritten, isWrittenAgain) = (
            tracker.beginWriting(slot, in: &peers, now: 0), tracker.beginWriting(slot, in: &peers, now: 0)
        )
        #expect(isWritten && !isWrittenAgain)
        let isFlushed = tracker.flush(&peers)
        #expect(isFlushed)
        #expect(names(&tracker.queue) == ["opened", "sample of 1", "sample of 1"])
    }

    @Test func `A full queue drops entries and counts them, and keeps texts with their entries`() throws {
        var queue = try EntryQueue(entryCapacity: 2, packCapacity: 1)
        let text = try identity([1])
        for encounter in 1...3 as ClosedRange<UInt32> {
            queue.push(.message(encounter: encounter, instant: 0), saying: text)
        }
        #expect(queue.droppedCount == 1)
        #expect(queue.texts.count == 2)
        queue.dropFirst()
        #expect(queue.texts.count == 1 && queue.hasRoom(for: 1) && !queue.hasRoom(for: 2))
        queue.push(.identified(slot: 5, encounter: 1, instant: 0, .none))
        queue.dropReferring(toSlot: 5)
        #expect(queue.entries.count == 1 && queue.droppedCount == 2)
    }
}
