import EncounterLog
import FixedMemory
import Testing

@testable import Archive

@Suite struct EncounterFilterTests {
    private func encounter(_ identity: Identity?, foundBy hint: PeerHint? = nil) throws -> Encounter {
        var track = RecordedTrack.test(1, identity, from: 1_000, to: 9_000)
        track.hint = hint
        let boot = BootHistory.test(1, anchoredAt: noon, tracks: [track])
        return try #require(
            EncounterAssembly.encounters(of: BoardHistory(board: .test, boots: [boot])).first)
    }

    private func admits(_ encounter: Encounter, kind: ContactKind) -> Bool {
        var filter = EncounterFilter()
        filter.kind = kind
        return filter.admits(encounter)
    }

    private func admits(_ encounter: Encounter, identity: String) -> Bool {
        var filter = EncounterFilter()
        filter.identityText = identity
        return filter.admits(encounter)
    }

    @Test func `the adverts decide where there is no identity`() throws {
        let encounter = try encounter(nil, foundBy: .blueTrace)
        #expect(admits(encounter, kind: .blueTrace))
        #expect(!admits(encounter, kind: .unidentified))
    }

    @Test func `a peer without identity and known adverts is unidentified`() throws {
        #expect(admits(try encounter(nil), kind: .unidentified))
    }

    @Test func `an identity counts more than the adverts`() throws {
        let encounter = try encounter(.bob, foundBy: .sonar)
        #expect(admits(encounter, kind: .scheme(SchemeCode(.herald))))
        #expect(!admits(encounter, kind: .scheme(SchemeCode(.sonar))))
    }

    @Test func `an identity is found by its first digits, its label and its label's last word`() throws {
        let encounter = try encounter(.bob)
        let word = try #require(Identity.bob.label.split(separator: " ").last)
        for text in ["103A03", Identity.bob.label, String(word)] {
            #expect(admits(encounter, identity: text), "\(text)")
        }
    }

    @Test func `another word of a label, or a part of one, finds nobody`() throws {
        let encounter = try encounter(.bob)
        #expect(!admits(encounter, identity: String(Identity.bob.label.dropLast())))
        #expect(!admits(encounter, identity: "nobody"))
    }
}
