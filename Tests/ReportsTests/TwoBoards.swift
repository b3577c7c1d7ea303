import Archive
import ArchiveTestSupport
import EncounterLog
import FixedMemory
import LogContents
import Reports

/// Two boards on one morning: Foyer, fetched at 10:00, and Canteen, fetched at 09:30. Canteen did not listen
/// from 09:10 to 09:20. A phone was near both; a venue changed its name; Badge is a third board.
enum TwoBoards {
    static var foyer: LogIdentity { identity(0x40) }
    static var canteen: LogIdentity { identity(0x50) }
    static var badge: LogIdentity { identity(0x60) }

    static func model() -> ReportModel {
        let boards = [
            history(
                foyer, coverage: [(0, 60)],
                tracks: [
                    track(1, SampleWorld.phone(1), from: 2, to: 12),
                    track(2, venue("Foyer"), from: 20, to: 24),
                    track(3, venue("Adams Pizza"), from: 40, to: 44),
                    track(4, SampleWorld.phone(8), from: 5, to: 9),
                    track(5, SampleWorld.phone(9), from: 6, to: 9),
                ]),
            history(
                canteen, coverage: [(0, 10), (20, 30)],
                tracks: [track(1, SampleWorld.phone(1), from: 8, to: 14)]),
        ]
        let assemblies = boards.map(CoverageAssembly.init)
        return ReportModel(
            title: "Morning",
            encounters: EncounterAssembly.inOrder(boards.flatMap(EncounterAssembly.encounters(of:))),
            boards: [archived(foyer, "Foyer"), archived(canteen, "Canteen")],
            periods: boards.flatMap(BoardPeriod.all(of:)),
            coverage: CoverageAssembly.timelines(of: assemblies),
            record: CoverageAssembly.timelines(of: assemblies),
            servedIdentities: [
                ServedIdentities(board: canteen, label: "Canteen", identities: [venue("Canteen, once")]),
                ServedIdentities(
                    board: badge, label: "Badge", identities: [SampleWorld.phone(8), SampleWorld.phone(9)]),
            ],
            origin: ReportOrigin(evidence: "0123abcd", toolVersion: "0.1.0"), time: TimeText(timeZone: .gmt))
    }

    static func archived(_ board: LogIdentity, _ name: String) -> ArchivedBoard {
        ArchivedBoard(identity: board, name: name, blockByteCount: 4096, lastSync: nil)
    }

    /// 826/4/123456 under a name.
    static func venue(_ name: String) -> Identity {
        let extended = [0x10, UInt8(name.utf8.count)] + [UInt8](name.utf8)
        return Identity(
            scheme: SchemeCode(.herald), payload: [UInt8](hex: "303a03040040e20100") + extended)
    }

    private static func identity(_ first: UInt8) -> LogIdentity {
        guard let identity = LogIdentity([UInt8](first..<first + 16)) else {
            preconditionFailure("16 bytes are an identity")
        }
        return identity
    }

    private static func history(
        _ board: LogIdentity, coverage: [(UInt64, UInt64)], tracks: [RecordedTrack]
    ) -> BoardHistory {
        let anchor = Anchor(instant: 0, wallClock: SampleWorld.morning, error: 40, source: .host)
        let boot = BootHistory(
            identifier: 1,
            parameters: BootParameters(
                start: .start, softwareVersion: "0.1.0", sampleLength: 8_000, encounterTimeout: 30_000,
                lossWindow: 30_000, role: 0),
            anchors: [anchor], tracks: tracks,
            coverage: coverage.map { from, to in
                Coverage(start: minutes(from), end: minutes(to), reportCount: 1_000)
            })
        return BoardHistory(board: board, boots: [boot])
    }

    private static func track(_ number: UInt32, _ identity: Identity, from: UInt64, to: UInt64)
        -> RecordedTrack
    {
        let samples = (from..<to).map { minute in
            Sample(
                start: minutes(minute), end: minutes(minute) + .seconds(50), readingCount: 10,
                minimumDBm: -70,
                maximumDBm: -60, meanDBm: -65)
        }
        return RecordedTrack(
            number: number, firstSighting: minutes(from),
            address: RecordedAddress(bytes: [UInt8(number), 2, 3, 4, 5, 0x46], type: 1),
            identifications: [Identification(instant: minutes(from), identity: identity)], samples: samples,
            lastReading: minutes(to), readingCount: samples.count * 10)
    }

    private static func minutes(_ count: UInt64) -> Instant { .start + count * SampleWorld.minute }
}
