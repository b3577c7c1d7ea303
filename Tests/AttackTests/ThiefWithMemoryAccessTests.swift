import EncounterLog
import FixedMemory
import HCI
import Schemes
import TestSupport
import Testing

@testable import Peers

/// Attacks by somebody who seizes a running board and reads its memory. `Tests/Rig/test_memory.py` searches
/// the memory of a whole running agent.
@Suite struct ThiefWithMemoryAccessTests {
    private let payload = FixedBuffer<512>([UInt8](repeating: 0x5a, count: 21).span) ?? FixedBuffer()
    private let address = DeviceAddress(value: 0x4444_0000_0001, isRandom: true)

    private func isWiped(_ recorder: borrowing Recorder, _ slot: Int) -> Bool {
        let identity = recorder.exchanges.identities[slot]
        let bytes = identity.storageSpan
        return bytes.indices.allSatisfy { bytes[$0] == 0 } && identity.isEmpty
    }

    @Test func `a thief with the memory finds no payload of a peer that has left`() throws {
        var recorder = try Recorder(settings: RecorderSettings(), hashSeed: 1)
        recorder.identify(address, identity: payload, now: .start)
        let found = recorder.peers.find(address)
        let slot = try #require(found)
        while recorder.nextEntry() != nil { recorder.dropEntry() }
        recorder.advance(now: .start + .seconds(13))
        let wiped1 = isWiped(recorder, slot)
        #expect(!wiped1)
        recorder.remove(slot)
        recorder.advance(now: .start + .seconds(13))
        let wiped2 = isWiped(recorder, slot)
        #expect(wiped2)
    }

    @Test func `an identity stays until the log has taken the entries that refer to it`() throws {
        var recorder = try Recorder(settings: RecorderSettings(), hashSeed: 1)
        guard let rssi = RSSI(dBm: -60) else { return }
        for second in 0..<12 as Range<UInt64> {
            recorder.recordReading(rssi, onLinkTo: address, now: .start + .seconds(second))
        }
        recorder.identify(address, identity: payload, now: .start + .seconds(12))
        let found = recorder.peers.find(address)
        let slot = try #require(found)
        recorder.remove(slot)
        recorder.advance(now: .start + .seconds(13))
        let wiped3 = isWiped(recorder, slot)
        #expect(!wiped3)
        while recorder.nextEntry() != nil { recorder.dropEntry() }
        recorder.advance(now: .start + .seconds(13))
        let wiped4 = isWiped(recorder, slot)
        #expect(wiped4)
    }

    @Test func `a new peer in the slot of one that has left keeps its own payload`() throws {
        var recorder = try Recorder(settings: RecorderSettings(), hashSeed: 1)
        recorder.identify(address, identity: payload, now: .start)
        let found = recorder.peers.find(address)
        let slot = try #require(found)
        recorder.remove(slot)
        let other = DeviceAddress(value: 0x4444_0000_0002, isRandom: true)
        recorder.identify(other, identity: payload, now: .start)
        let otherSlot = recorder.peers.find(other)
        #expect(otherSlot == slot)
        while recorder.nextEntry() != nil { recorder.dropEntry() }
        recorder.advance(now: .start + .seconds(13))
        let kept = recorder.exchanges.identities[slot]
        #expect(kept == payload)
    }
}
