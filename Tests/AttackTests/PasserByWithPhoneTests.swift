import EncounterLog
import FixedMemory
import HCI
import Testing

@testable import Simulator

/// An attacker in radio range, who connects under the victim's address and writes, or sends adverts.
@Suite struct PasserByWithPhoneTests {
    @Test func `a passer-by with a phone cannot rename an identified peer by writing a payload`() throws {
        let room = RoomUnderAttack()
        room.run(seconds: 30)
        #expect(room.victim.servedCount > 0)
        for _ in 0..<3 {
            room.writeAsVictim(.payload(room.foreign))
            room.run(seconds: 70)
        }
        #expect(room.attacker.acknowledgedCount == 3)
        let entries = room.entries()
        let opened = entries.encounters(at: room.victim.address)
        let identities = opened.flatMap { entries.identities(of: $0.encounter) }
        #expect(opened.count == 1)
        #expect(Set(identities.filter { !$0.isWritten }.map(\.bytes)) == [room.victim.payload])
        #expect(identities.filter(\.isWritten).map(\.bytes) == [room.foreign], "logged once, and marked")
    }

    @Test func `a passer-by with a phone cannot stop the reading of a peer by writing first`() throws {
        let room = RoomUnderAttack()
        room.victim.setPresent(false)
        room.run(seconds: 2)
        room.writeAsVictim(.payload(room.foreign))
        room.run(seconds: 6)
        room.victim.setPresent(true)
        room.run(seconds: 60)
        #expect(room.victim.servedCount > 0)
        let entries = room.entries()
        let identities = entries.encounters(at: room.victim.address)
            .flatMap { entries.identities(of: $0.encounter) }
        #expect(Set(identities.filter { !$0.isWritten }.map(\.bytes)) == [room.victim.payload])
    }

    @Test func `a passer-by with a phone cannot delay the reading of a peer by connecting in its name`() {
        let room = RoomUnderAttack(.backgroundIPhone)
        room.victim.setPresent(false)
        room.run(seconds: 1)
        room.victim.setPresent(true)
        for _ in 0..<20 { room.writeAsVictim() }
        room.run(seconds: 90)
        #expect(room.victim.servedCount > 0)
    }

    @Test func `a passer-by with a phone cannot change the samples of a peer by writing RSSI`() throws {
        let room = RoomUnderAttack()
        room.run(seconds: 20)
        let flood = [HostilePhone.Signal](repeating: .rssi(-21), count: 100)
        for _ in 0..<5 {
            room.attacker.plan(HostilePhone.Visit(as: room.victim.address, writing: flood))
            room.run(seconds: 20)
        }
        #expect(room.attacker.acknowledgedCount > 100)
        let entries = room.entries()
        let samples = entries.encounters(at: room.victim.address)
            .flatMap { entries.samples(of: $0.encounter) }
        #expect(!samples.isEmpty)
        #expect(samples.allSatisfy { $0.maximumRSSIDBm < -21 })
        #expect(entries.coveredReports <= room.board.controller.truth.reportsTaken)
    }

    @Test func `a passer-by with a phone cannot make a peer present that has left`() throws {
        let room = RoomUnderAttack()
        room.run(seconds: 60)
        room.victim.setPresent(false)
        let left = room.board.clock.now
        for _ in 0..<20 {
            room.writeAsVictim(.rssi(-40))
            room.run(seconds: 12)
        }
        let entries = room.entries()
        let opened = entries.encounters(at: room.victim.address)
        let first = try #require(opened.first)
        let closing = try #require(entries.closing(of: first.encounter))
        #expect(closing.instant <= left)
        for claimed in opened.dropFirst() {
            #expect(claimed.foundBy == .connectedToUs)
            #expect(entries.samples(of: claimed.encounter).isEmpty)
            #expect(!entries.identities(of: claimed.encounter).contains { !$0.isWritten })
        }
    }

    @Test func `a passer-by with a phone cannot take over a peer's encounter with a pseudo address`() throws {
        let room = RoomUnderAttack()
        room.run(seconds: 30)
        let advert = FieldAdverts.pseudoAddress([1, 2, 3, 4, 5, 6], isLegacy: false)
        room.attacker.advertise(
            Advertisement(address: room.victim.address, data: advert), every: .milliseconds(200))
        room.run(seconds: 2)
        room.attacker.stopAdvertising()
        room.attacker.advertise(
            Advertisement(address: room.attacker.address, data: advert), every: .milliseconds(200))
        room.run(seconds: 60)
        let end = room.board.clock.now
        let entries = room.entries()
        let opened = entries.encounters(at: room.victim.address)
        let own = entries.encounters(at: room.attacker.address)
        #expect(opened.count == 1)
        let encounter = try #require(opened.first).encounter
        let last = try #require(entries.samples(of: encounter).last)
        #expect(last.end + .seconds(15) > end)
        #expect(own.count == 1)
        let other = try #require(own.first).encounter
        #expect(entries.identities(of: other).isEmpty)
    }
}
