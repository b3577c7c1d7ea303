import Archive
import EncounterLog
import LogContents
import Testing
import TextFormats

@testable import Exports

@Suite struct ParticipantsTests {
    /// Identities of a scheme whose payload is one byte, the number of the stranger.
    private static func identity(_ number: UInt8) -> Identity {
        Identity(scheme: SchemeCode(.bleProximity), payload: [number])
    }

    private static func key(_ number: UInt8) -> ParticipantKey { .identity(identity(number)) }

    @Test
    func `strangers have numbers in order of the first contact that is exported`() throws {
        let participants = try participants(met: [3, 1, 3, 1], of: [1, 2, 3])
        #expect(participants.count == 2)
        #expect(try participants.number(of: Self.key(3)) == 1)
        #expect(try participants.number(of: Self.key(1)) == 2)
        #expect(try participants.number(of: Self.key(2)) == nil)
    }

    @Test
    func `a participant is the same by its number and in the list`() throws {
        let participants = try participants(met: [2, 1, 3], of: [1, 2, 3])
        var listed: [Participant] = []
        try participants.forEach { _, participant in
            listed.append(participant)
            return true
        }
        #expect(listed.map(\.id) == ["ble-proximity 02", "ble-proximity 01", "ble-proximity 03"])
        #expect(try (1...3).map { try participants[$0] } == listed)
    }

    @Test
    func `a stranger without a label does not share the id of a person`() throws {
        var labels = Labels()
        labels[.identity(Self.identity(1))] = Label(name: "ble-proximity 02")
        let participants = try participants(met: [1, 2], of: [1, 2], labels)
        #expect(try participants[1].id == "ble-proximity 02")
        #expect(try participants[2].id == "ble-proximity 02 (2)")
    }

    @Test
    func `labels of people who were not met do not count in a group`() throws {
        var labels = Labels()
        for number: UInt8 in [1, 2] { labels[.identity(Self.identity(number))] = Label(group: "ward") }
        let alone = try participants(met: [1], of: [1, 2], labels, smallestGroup: 2)
        #expect(try alone[1].label.group == nil)
        let both = try participants(met: [1, 2], of: [1, 2], labels, smallestGroup: 2)
        #expect(try both[1].label.group == "ward")
        #expect(both.count { $0.group == nil } == 0)
    }

    @Test
    func `equal codes become different ids, also from those of boards`() throws {
        let search = try StrangerSearch(boardCount: 1)
        for number: UInt8 in 1...3 { try search.meet(search.preliminaryNumber(of: Self.key(number))) }
        let strangers = try search.numbered(taken: UniqueNames(taken: ["P1"])) { subject in
            subject.last == 2 ? "P0" : "P1"
        }
        #expect(try (2...4).map { try strangers.stranger($0).code } == ["P0", "P1 (2)", "P1 (3)"])
        #expect(try (1...3).map { try strangers.number(of: Self.key($0)) } == [3, 2, 4])
    }

    /// - Parameters:
    ///   - met: the strangers of the exported contacts.
    ///   - all: the strangers in order of the first encounter of each.
    private func participants(
        met: [UInt8], of all: [UInt8], _ labels: Labels = Labels(), smallestGroup: Int = 1
    ) throws -> Participants {
        let search = try StrangerSearch(boardCount: 0)
        func number(_ stranger: UInt8) throws -> Int {
            let key = try #require(ParticipantKey(Self.identity(stranger), labels))
            return try search.preliminaryNumber(of: key)
        }
        for stranger in all { _ = try number(stranger) }
        for stranger in met { try search.meet(try number(stranger)) }
        return try Participants(
            boards: [], roles: [:], labels: labels, search, smallestGroup: smallestGroup, pseudonyms: nil)
    }
}
