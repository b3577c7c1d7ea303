import FixedMemory
import HCI
import TestSupport
import Testing

@testable import Peers

@Suite struct PeerTableTests {
    /// What the table must do, in the plainest way: addresses, oldest sighting first, per kind.
    struct Model {
        var passersBy: [DeviceAddress] = []
        var followed: [DeviceAddress] = []

        var all: [DeviceAddress] { passersBy + followed }

        mutating func remove(_ address: DeviceAddress) {
            passersBy.removeAll { $0 == address }
            followed.removeAll { $0 == address }
        }
    }

    @Test(arguments: [1 as UInt64, 2, 3, 4], [1, 7, 64])
    func doesWhatADictionaryWithTwoListsWouldDo(seed: UInt64, capacity: Int) throws {
        print("seed \(seed)")
        var generator = SeededGenerator(seed: seed)
        // A weak multiplier makes long runs of colliding addresses, where deletion is hard.
        var table = try PeerTable(capacity: capacity, hashSeed: seed == 4 ? 1 : generator.next())
        var model = Model()
        let addresses = (0..<UInt64(capacity) * 3).map { DeviceAddress.peer($0) }
        for time in 0..<4_000 as Range<UInt64> {
            let address = addresses[Int.random(in: 0..<addresses.count, using: &generator)]
            guard let slot = table.find(address) else {
                #expect(!model.all.contains(address))
                if table.isFull {
                    let victim = table.evictionCandidate.map { table.slots[$0].address }
                    #expect(victim == model.passersBy.first ?? model.followed.first)
                    if let victim, let slot = table.find(victim) {
                        table.remove(slot)
                        model.remove(victim)
                    }
                }
                _ = table.insert(address)
                model.passersBy.append(address)
                continue
            }
            #expect(table.slots[slot].address == address)
            switch Int.random(in: 0..<8, using: &generator) {
            case 0:
                table.remove(slot)
                model.remove(address)
            case 1:
                table.raiseInterest(of: slot, to: .participant)
                if model.passersBy.contains(address) {
                    model.remove(address)
                    model.followed.append(address)
                }
            case 2:
                table.dropInterest(in: slot)
                model.remove(address)
                model.passersBy.append(address)
            default:
                table.touch(slot, nowMilliseconds: time)
                let isFollowed = model.followed.contains(address)
                model.remove(address)
                if isFollowed { model.followed.append(address) } else { model.passersBy.append(address) }
            }
            let count = table.count
            #expect(count == model.all.count)
        }
        for address in addresses { #expect((table.find(address) != nil) == model.all.contains(address)) }
        var followed: [DeviceAddress] = []
        var next = table.newestFollowed
        while let slot = next {
            followed.append(table.slots[slot].address)
            next = table.olderFollowed(than: slot)
        }
        #expect(followed == model.followed.reversed())
        #expect(table.oldestFollowed.map { table.slots[$0].address } == model.followed.first)
    }

    @Test func publicAndRandomAddressesOfTheSameDigitsAreDifferentPeers() throws {
        var table = try PeerTable(capacity: 4, hashSeed: 99)
        let slot = table.insert(DeviceAddress(value: 0x1122_3344_5566, isRandom: true))
        #expect(table.find(DeviceAddress(value: 0x1122_3344_5566, isRandom: false)) == nil)
        #expect(table.find(DeviceAddress(value: 0x1122_3344_5566, isRandom: true)) == slot)
    }

    @Test func passersByGoFirstThenWhoeverWasSeenLeastRecently() throws {
        var table = try PeerTable(capacity: 4, hashSeed: 99)
        for number in 0..<4 as Range<UInt64> { _ = table.insert(.peer(number)) }
        for number in [0, 2] as [UInt64] {
            if let slot = table.find(.peer(number)) { table.raiseInterest(of: slot, to: .candidate) }
        }
        if let slot = table.find(.peer(1)) { table.touch(slot, nowMilliseconds: 5) }
        if let slot = table.find(.peer(0)) { table.touch(slot, nowMilliseconds: 6) }
        var order: [DeviceAddress] = []
        while let victim = table.evictionCandidate {
            order.append(table.slots[victim].address)
            table.remove(victim)
        }
        #expect(order == [.peer(3), .peer(1), .peer(2), .peer(0)])
        let isFull = table.isFull
        #expect(!isFull)
    }

    @Test func interestOnlyGrows() throws {
        var table = try PeerTable(capacity: 4, hashSeed: 99)
        let slot = table.insert(.peer(1))
        table.raiseInterest(of: slot, to: .participant)
        table.raiseInterest(of: slot, to: .candidate)
        #expect(table.slots[slot].interest == .participant)
    }

    @Test func aFloodOfPassersByNeverPushesOutWhomWeFollow() throws {
        var listener = try Listener { $0.peerCapacity = 128 }
        for number in 0..<20 as Range<UInt64> { listener.hear(.peer(number)) }
        for number in 0..<100_000 as Range<UInt64> {
            listener.hear(DeviceAddress(value: 0x4000_0000_0000 | number, isRandom: true), -50, .passerBy)
        }
        for number in 0..<20 as Range<UInt64> {
            let isThere = listener.recorder.peers.find(.peer(number)) != nil
            #expect(isThere)
        }
        let counters = listener.recorder.counters
        #expect(counters.evicted == 100_000 - 108)
        #expect(counters.reports == 100_020)
    }
}
