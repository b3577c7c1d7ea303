import FixedMemory
import HCI
import TestSupport
import Testing

@testable import Peers

@Suite struct PeerTableTests {
    /// A simple model of the table: addresses, oldest sighting first, by standing.
    struct Model {
        var lists: [PeerStanding: [DeviceAddress]] = [.ignored: [], .tentative: [], .confirmed: []]

        var all: [DeviceAddress] { lists.values.flatMap { $0 } }

        func standing(of address: DeviceAddress) -> PeerStanding? {
            lists.first { $0.value.contains(address) }?.key
        }

        mutating func remove(_ address: DeviceAddress) {
            for standing in lists.keys { lists[standing]?.removeAll { $0 == address } }
        }

        /// Makes it the newest of its standing.
        mutating func put(_ address: DeviceAddress, _ standing: PeerStanding?) {
            remove(address)
            if let standing { lists[standing]?.append(address) }
        }

        /// No peer of this test has an open encounter.
        func victim(isFollowed: Bool, capacity: Int) -> DeviceAddress? {
            let oldest = lists.compactMapValues(\.first)
            if let ignored = oldest[.ignored] { return ignored }
            guard isFollowed else { return nil }
            let evictsTentative = (lists[.tentative]?.count ?? 0) > capacity / 4
            return evictsTentative ? oldest[.tentative] : oldest[.confirmed] ?? oldest[.tentative]
        }
    }

    @Test(arguments: [1 as UInt64, 2, 3, 4], [1, 7, 64])
    func `the table does what a dictionary with three lists would do`(seed: UInt64, capacity: Int) throws {
        print("seed \(seed)")
        var generator = SeededGenerator(seed: seed)
        // A weak multiplier makes long runs of colliding addresses, where deletion is hard.
        var table = try PeerTable(capacity: capacity, hashSeed: seed == 4 ? 1 : generator.next())
        var model = Model()
        let addresses = (0..<UInt64(capacity) * 3).map { DeviceAddress.peer($0) }
        for time in (0..<4_000).map(Instant.init(milliseconds:)) {
            let address = addresses[Int.random(in: 0..<addresses.count, using: &generator)]
            guard let slot = table.find(address) else {
                #expect(!model.all.contains(address))
                if table.isFull {
                    let isFollowed = Bool.random(using: &generator)
                    let victim = table.evictionCandidate(
                        isFollowed: isFollowed, now: time, encounterTimeout: 30_000)
                    let expected = model.victim(isFollowed: isFollowed, capacity: capacity)
                    #expect(victim.map { table.address(of: $0) } == expected)
                    guard let victim, let expected else { continue }
                    table.remove(victim)
                    model.remove(expected)
                }
                _ = table.insert(at: address)
                model.put(address, .ignored)
                continue
            }
            #expect(table.address(of: slot) == address)
            switch Int.random(in: 0..<8, using: &generator) {
            case 0:
                table.remove(slot)
                model.remove(address)
            case 1, 2:
                table.raiseInterest(of: slot, to: .participant)
                if model.standing(of: address) == .ignored { model.put(address, .tentative) }
            case 3:
                table.confirm(slot)
                if model.standing(of: address) == .tentative { model.put(address, .confirmed) }
            case 4:
                table.dropInterest(in: slot)
                model.put(address, .ignored)
            default:
                table.touch(slot, now: time)
                model.put(address, model.standing(of: address))
            }
            let count = table.count
            #expect(count == model.all.count)
        }
        for address in addresses { #expect((table.find(address) != nil) == model.all.contains(address)) }
        for standing in [PeerStanding.ignored, .tentative, .confirmed] {
            var listed: [DeviceAddress] = []
            var next = table.newest(standing)
            while let slot = next {
                listed.append(table.address(of: slot))
                next = table.older(than: slot)
            }
            #expect(listed == model.lists[standing]?.reversed())
        }
    }

    @Test func `public and random addresses with the same digits are different peers`() throws {
        var table = try PeerTable(capacity: 4, hashSeed: 99)
        let slot = table.insert(at: DeviceAddress(value: 0x1122_3344_5566, isRandom: true))
        #expect(table.find(DeviceAddress(value: 0x1122_3344_5566, isRandom: false)) == nil)
        #expect(table.find(DeviceAddress(value: 0x1122_3344_5566, isRandom: true)) == slot)
    }

    @Test func `the interest in a peer only grows`() throws {
        var table = try PeerTable(capacity: 4, hashSeed: 99)
        let slot = table.insert(at: .peer(1))
        table.raiseInterest(of: slot, to: .participant)
        table.raiseInterest(of: slot, to: .candidate)
        #expect(table.slots[slot].interest == .participant)
    }
}
