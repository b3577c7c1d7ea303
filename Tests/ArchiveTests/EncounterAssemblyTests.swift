import Archive
import EncounterLog
import FixedMemory
import Testing

@Suite struct EncounterAssemblyTests {
    @Test func `an encounter runs from the first sighting to the last reading`() throws {
        let track = RecordedTrack.test(1, .alice, from: 1_000, to: 61_000)
        let encounters = assemble([.test(1, anchoredAt: noon, tracks: [track])])

        let encounter = try #require(encounters.first)
        #expect(encounters.count == 1)
        #expect(encounter.identity == .alice)
        #expect(encounter.start == pastNoon(1_000))
        #expect(encounter.duration == 60_000)
        // The error is 20 ms at the anchor and grows by 500 ppm: after 61 s, at the end, it is 51 ms.
        #expect(encounter.startError == 21)
        #expect(encounter.endError == 51)
        #expect(encounter.clockError == 51)
        #expect(encounter.basis == .system)
        #expect(encounter.readingCount == 10 * track.samples.count)
        #expect(encounter.samples.first?.start == pastNoon(1_000))
    }

    @Test func `fragments are joined if the silence equals the encounter timeout`() {
        let tracks = [
            RecordedTrack.test(1, .alice, from: 0, to: 10_000), .test(2, .alice, from: 40_000, to: 50_000),
        ]
        let encounters = assemble([.test(1, anchoredAt: noon, tracks: tracks)])
        #expect(encounters.map(\.duration) == [50_000])
    }

    @Test func `fragments stay apart if the silence exceeds the encounter timeout`() {
        let tracks = [
            RecordedTrack.test(1, .alice, from: 0, to: 10_000), .test(2, .alice, from: 40_001, to: 50_001),
        ]
        let encounters = assemble([.test(1, anchoredAt: noon, tracks: tracks)])
        #expect(encounters.map(\.duration) == [10_000, 10_000])
    }

    @Test func `the encounter timeout is that of the board`() {
        let tracks = [
            RecordedTrack.test(1, .alice, from: 0, to: 10_000), .test(2, .alice, from: 16_000, to: 20_000),
        ]
        let encounters = assemble([.test(1, anchoredAt: noon, gap: 5_000, tracks: tracks)])
        #expect(encounters.count == 2)
    }

    @Test func `fragments are joined across a restart by the wall clock`() throws {
        // The second boot counts its monotonic time from an unrelated origin.
        let first = BootHistory.test(1, anchoredAt: noon, tracks: [.test(1, .alice, from: 0, to: 20_000)])
        let second = BootHistory.test(
            2, anchoredAt: noon + 45_000 - 900_000, error: 70, start: 900_000,
            tracks: [.test(1, .alice, from: 900_000, to: 930_000)])
        let encounter = try #require(assemble([first, second]).first)

        #expect(assemble([first, second]).count == 1)
        #expect(encounter.boots == [1, 2])
        #expect(encounter.duration == 75_000)
        #expect(encounter.startError == 20)
        #expect(encounter.clockError == 535)
    }

    @Test func `fragments stay apart if the length of the silence is unknown`() throws {
        // The second boot ran at some time between the first and the third, which are two hours apart.
        let boots = [
            BootHistory.test(1, anchoredAt: noon, tracks: [.test(1, .alice, from: 0, to: 3_500_000)]),
            .test(2, anchoredAt: nil, tracks: [.test(1, .alice, from: 0, to: 3_500_000)]),
            .test(3, anchoredAt: noon + 7_200_000, tracks: [.test(1, .bob, from: 0, to: 20_000)]),
        ]
        let encounters = assemble(boots)
        #expect(encounters.map(\.basis) == [.system, .order, .system])
        let vague = encounters[1]
        #expect((pastNoon(3_590_000)...pastNoon(3_610_000)).contains(vague.start))
        #expect(vague.startError.map { (95_000...105_000).contains($0) } == true)
    }

    @Test func `an earlier boot without a clock has a latest possible time`() throws {
        let boots = [
            BootHistory.test(1, anchoredAt: nil, tracks: [.test(1, .alice, from: 0, to: 20_000)]),
            .test(2, anchoredAt: noon, tracks: [.test(1, .alice, from: 0, to: 20_000)]),
        ]
        let vague = try #require(assemble(boots).last)
        #expect(vague.timeline == .sinceStart(boot: 1))
        #expect(vague.notBefore == nil)
        #expect(vague.notAfter == noon + 20)
        #expect(vague.startError == nil && vague.endError == nil)
    }

    @Test func `a restart that took too long begins a new encounter`() {
        let first = BootHistory.test(1, anchoredAt: noon, tracks: [.test(1, .alice, from: 0, to: 20_000)])
        let second = BootHistory.test(
            2, anchoredAt: noon + 60_000, tracks: [.test(1, .alice, from: 0, to: 30_000)])
        #expect(assemble([first, second]).count == 2)
    }

    @Test func `fragments are joined across addresses, even if they overlap`() throws {
        let tracks = [
            RecordedTrack.test(1, .alice, from: 0, to: 20_000, address: 1),
            .test(2, .alice, from: 15_000, to: 40_000, address: 2),
        ]
        let encounters = assemble([.test(1, anchoredAt: noon, tracks: tracks)])
        let encounter = try #require(encounters.first)
        #expect(encounters.count == 1)
        #expect(encounter.addresses.map(\.text) == ["C0:00:00:00:00:01", "C0:00:00:00:00:02"])
        #expect(encounter.duration == 40_000)
        let starts = encounter.samples.map(\.start)
        #expect(starts == starts.sorted())
    }

    @Test func `a short fragment inside a long one does not shorten it`() {
        let tracks = [
            RecordedTrack.test(1, .alice, from: 0, to: 100_000, address: 1),
            .test(2, .alice, from: 10_000, to: 20_000, address: 2),
            .test(3, .alice, from: 120_000, to: 125_000, address: 3),
        ]
        let encounters = assemble([.test(1, anchoredAt: noon, tracks: tracks)])
        #expect(encounters.map(\.duration) == [125_000])
    }

    @Test func `different identities are never joined`() {
        let tracks = [
            RecordedTrack.test(1, .alice, from: 0, to: 10_000), .test(2, .bob, from: 11_000, to: 20_000),
        ]
        #expect(assemble([.test(1, anchoredAt: noon, tracks: tracks)]).count == 2)
    }

    @Test func `without an anchor, times are relative to the boot`() throws {
        let boot = BootHistory.test(
            7, anchoredAt: nil, start: 500_000, tracks: [.test(1, .alice, from: 512_000, to: 530_000)])
        let encounter = try #require(assemble([boot]).first)
        #expect(encounter.timeline == .sinceStart(boot: 7))
        #expect(encounter.clockError == nil)
        #expect(encounter.start == 12_000)
    }

    @Test func `boots without an anchor are not joined`() {
        let boots = (1...2).map { identifier in
            BootHistory.test(
                UInt64(identifier), anchoredAt: nil, tracks: [.test(1, .alice, from: 0, to: 20_000)])
        }
        #expect(assemble(boots).map(\.boots) == [[1], [2]])
    }

    @Test func `if the log was cut, the encounter ends with its last sample`() throws {
        var track = RecordedTrack.test(1, .alice, from: 0, to: 40_000)
        track.lastReading = nil
        track.readingCount = nil
        track.samples.removeAll { $0.start >= 24_000 }
        let encounter = try #require(assemble([.test(1, anchoredAt: noon, tracks: [track])]).first)
        #expect(encounter.duration == 24_000)
        #expect(encounter.readingCount == 30)
    }

    @Test func `if the beginning was overwritten, the encounter starts with its first sample`() throws {
        var track = RecordedTrack.test(1, .alice, from: 0, to: 40_000)
        track.firstSighting = nil
        track.address = nil
        track.samples.removeFirst(2)
        let encounter = try #require(assemble([.test(1, anchoredAt: noon, tracks: [track])]).first)
        #expect(encounter.start == pastNoon(16_000))
        #expect(encounter.addresses.isEmpty)
    }

    @Test func `unidentified peers are kept`() throws {
        let tracks = [
            RecordedTrack.test(1, nil, from: 0, to: 10_000, address: 1),
            .test(2, nil, from: 20_000, to: 30_000, address: 1),
            .test(3, nil, from: 0, to: 10_000, address: 2),
        ]
        let encounters = assemble([.test(1, anchoredAt: noon, tracks: tracks)])
        #expect(encounters.map(\.identity) == [nil, nil])
        #expect(encounters.map(\.duration).sorted() == [10_000, 30_000])
    }

    @Test func `a track that changes its identity is split there`() throws {
        var track = RecordedTrack.test(1, .alice, from: 0, to: 80_000)
        track.identifications = [
            Identification(instant: 2_000, identity: .alice),
            Identification(instant: 40_000, identity: .bob),
        ]
        let encounters = assemble([.test(1, anchoredAt: noon, tracks: [track])])
        #expect(encounters.map(\.identity) == [.alice, .bob])
        #expect(encounters.map(\.start) == [pastNoon(0), pastNoon(40_000)])
        #expect(encounters.map(\.duration) == [40_000, 40_000])
    }

    @Test func `A device with two schemes has an encounter of full length in each`() throws {
        let rolling = Identity(
            scheme: SchemeCode(.exposureNotification), payload: [UInt8](repeating: 7, count: 20))
        var track = RecordedTrack.test(1, .alice, from: 0, to: 80_000)
        track.identifications += [
            Identification(instant: 40_000, identity: rolling),
            Identification(instant: 50_000, identity: .alice),
        ]
        let encounters = assemble([.test(1, anchoredAt: noon, tracks: [track])])
        #expect(Set(encounters.map(\.identity)) == [.alice, rolling])
        #expect(encounters.map(\.duration) == [80_000, 80_000])
    }

    @Test func `Sonar payloads of one day count as one identity`() throws {
        func payload(readAt time: UInt8) -> Identity {
            Identity(
                scheme: SchemeCode(.sonar),
                payload: [UInt8](repeating: 7, count: 108) + [UInt8](repeating: time, count: 21))
        }
        let tracks = [
            RecordedTrack.test(1, payload(readAt: 1), from: 0, to: 20_000),
            RecordedTrack.test(2, payload(readAt: 2), from: 30_000, to: 50_000),
        ]
        let encounters = assemble([.test(1, anchoredAt: noon, tracks: tracks)])
        #expect(encounters.map(\.duration) == [50_000])
        #expect(encounters.first?.identity?.payload == payload(readAt: 1).payload)
    }

    @Test func `An identity that was also read loses the mark of a written one`() throws {
        let identity = Identity(scheme: SchemeCode(.bleProximity), payload: [1, 2, 3, 4, 5, 6, 7, 8])
        var track = RecordedTrack.test(1, identity, from: 0, to: 80_000)
        track.identifications = [
            Identification(instant: 0, identity: identity, marks: .written)
        ]
        #expect(assemble([.test(1, anchoredAt: noon, tracks: [track])]).map(\.identityMarks) == [.written])
        track.identifications.append(Identification(instant: 9_000, identity: identity))
        #expect(assemble([.test(1, anchoredAt: noon, tracks: [track])]).map(\.identityMarks) == [.none])
    }

    @Test func `the order of tracks does not matter`() {
        let tracks = (0..<20).map { index in
            RecordedTrack.test(
                UInt32(index), index.isMultiple(of: 2) ? .alice : .bob,
                from: .start + .seconds(35 * UInt64(index)),
                to: .start + .seconds(35 * UInt64(index) + 20))
        }
        let expected = assemble([.test(1, anchoredAt: noon, tracks: tracks)])
        #expect(assemble([.test(1, anchoredAt: noon, tracks: tracks.reversed())]) == expected)
    }

    private func assemble(_ boots: [BootHistory]) -> [Encounter] {
        EncounterAssembly.encounters(of: BoardHistory(board: .test, boots: boots))
    }
}
