import Archive
import EncounterLog
import FixedMemory
import LogContents
import Testing

/// Writes of a passer-by with a phone, as the analyst sees them.
@Suite struct PasserByInTheArchiveTests {
    private let alice = Identity(scheme: SchemeCode(.herald), payload: [0x10, 0x3a, 3, 0, 0, 0xaa, 0xaa])
    private let bob = Identity(scheme: SchemeCode(.herald), payload: [0x10, 0x3a, 3, 0, 0, 0xbb, 0xbb])

    @Test func `a passer-by with a phone cannot cut or rename a track by writing an identity`() {
        var victim = track(1, alice, from: 0, to: 80_000)
        for instant in [Instant(milliseconds: 10), Instant(milliseconds: 40_000)] {
            victim.identifications.append(Identification(instant: instant, identity: bob, marks: .written))
        }
        victim.identifications.sort { $0.instant < $1.instant }
        let encounters = assemble([victim])
        #expect(encounters.map(\.identity) == [alice])
        #expect(encounters.map(\.duration) == [.seconds(80)])
        #expect(encounters.map(\.isWritten) == [false])
    }

    @Test func `a passer-by with a phone cannot count as the other whose identity it writes`() {
        var attacker = track(2, nil, from: 90_000, to: 170_000, address: 2)
        attacker.identifications = [
            Identification(instant: .start + .seconds(91), identity: alice, marks: .written)
        ]
        let encounters = assemble([track(1, alice, from: 0, to: 80_000), attacker])
        #expect(encounters.map(\.identity) == [alice, alice])
        #expect(encounters.map(\.isWritten) == [false, true])
        #expect(encounters.map(\.duration) == [.seconds(80), .seconds(80)])
    }

    @Test func `a passer-by with a phone cannot prolong another's encounter by writing RSSI`() {
        var claimed = track(2, nil, from: 90_000, to: 170_000)
        claimed.samples = []
        claimed.readingCount = 0
        claimed.identifications = [
            Identification(instant: .start + .seconds(90), identity: alice, marks: .written)
        ]
        claimed.details = [
            TrackDetail(instant: .start + .seconds(90), what: .writtenRSSI(dBm: -30)),
            TrackDetail(instant: .start + .seconds(150), what: .writtenRSSI(dBm: -30)),
        ]
        let encounters = assemble([track(1, alice, from: 0, to: 80_000), claimed])
        #expect(encounters.map(\.isClaimed) == [false, true])
        #expect(encounters.first?.duration == .seconds(80))
        #expect(encounters.map { $0.rssi?.maximumDBm } == [-60, nil], "what was written is in no sample")
        #expect(encounters.last?.writtenReadings.map(\.rssiDBm) == [-30, -30])
    }

    @Test func `an analyst can leave out all that a passer-by with a phone wrote`() {
        var attacker = track(2, nil, from: 90_000, to: 170_000, address: 2)
        attacker.identifications = [
            Identification(instant: .start + .seconds(91), identity: bob, marks: .written)
        ]
        let history = BoardHistory(
            board: board,
            boots: [BootHistory(identifier: 1, tracks: [track(1, alice, from: 0, to: 80_000), attacker])]
        )
        var filter = EncounterFilter()
        filter.excludesWritten = true
        let encounters = EncounterAssembly.encounters(of: history)
        #expect(encounters.filter(filter.admits).map(\.identity) == [alice])
        let exported = EncounterAssembly.encounters(of: history.withoutWritten())
        #expect(
            exported.map(\.identity) == [alice, nil],
            "the board has measured a peer of unknown identity")
    }

    private let board: LogIdentity

    init() throws { board = try #require(LogIdentity([UInt8](repeating: 7, count: 16))) }

    private func assemble(_ tracks: [RecordedTrack]) -> [Encounter] {
        EncounterAssembly.encounters(
            of: BoardHistory(board: board, boots: [BootHistory(identifier: 1, tracks: tracks)]))
    }

    /// A track with a sample of 10 readings every 8 s.
    private func track(
        _ number: UInt32, _ identity: Identity?, from start: UInt64, to end: UInt64, address: UInt8 = 1
    ) -> RecordedTrack {
        let samples = stride(from: start, to: end, by: 8_000).map { bucket in
            Sample(
                start: Instant(milliseconds: bucket), end: Instant(milliseconds: min(bucket + 8_000, end)),
                readingCount: 10, minimumDBm: -70, maximumDBm: -60, meanDBm: -65)
        }
        return RecordedTrack(
            number: number, firstSighting: Instant(milliseconds: start),
            address: RecordedAddress(bytes: [address, 0, 0, 0, 0, 0xc0], type: 1),
            identifications: identity.map {
                [Identification(instant: Instant(milliseconds: start + 500), identity: $0)]
            } ?? [], samples: samples, lastReading: Instant(milliseconds: end),
            readingCount: 10 * samples.count)
    }
}
