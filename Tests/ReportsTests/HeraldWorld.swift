import Analysis
import Archive
import ArchiveTestSupport
import EncounterLog
import FixedMemory
import Foundation

@testable import Reports

/// A board's log that is small enough to know each of its rows.
enum HeraldWorld {
    /// 2026-11-21T09:00:00Z
    static let morning = SampleWorld.morning

    static let alice = Identity(
        scheme: SchemeCode(.herald), payload: [0x10, 0x3a, 0x03, 0, 0, 0xa1, 0x1c, 0xe0, 0x01])
    static let bob = Identity(
        scheme: SchemeCode(.herald), payload: [0x10, 0x3a, 0x03, 0, 0, 0xb0, 0xb0, 0xb0, 0x02])

    /// 826/4/123456
    static let ownPayload: [UInt8] = [0x30, 0x3a, 0x03, 0x04, 0x00, 0x40, 0xe2, 0x01, 0x00]

    /// Alice arrives and changes her identity to Bob's; one device never presents an identity; one track
    /// lacks its beginning; and one boot has no clock.
    static func history() -> BoardHistory {
        BoardHistory(
            board: SampleWorld.board, name: "Foyer, East",
            boots: [
                boot(7, isAnchored: true, tracks: [alicesTrack, strangersTrack, headlessTrack]),
                boot(8, isAnchored: false, tracks: [strangersTrack]),
            ])
    }

    /// A board that served Alice's identity, then Bob's, then none.
    static var changingHistory: BoardHistory {
        var start = boot(9, isAnchored: true, tracks: [])
        start.ownIdentities = [(1_000, alice), (360_000, bob), (720_000, nil)].map { time, identity in
            OwnIdentityRecord(instant: time, address: address(9), identity: identity)
        }
        return BoardHistory(board: SampleWorld.board, name: "wearable", boots: [start])
    }

    static func boot(_ identifier: UInt64, isAnchored: Bool, tracks: [RecordedTrack]) -> BootHistory {
        BootHistory(
            identifier: identifier,
            parameters: BootParameters(
                start: 0, softwareVersion: "0.1.\(identifier)", sampleLength: 8_000,
                encounterTimeout: 30_000, lossWindow: 30_000, role: 0),
            anchors: isAnchored
                ? [
                    Anchor(
                        instant: 0, wallClock: morning, error: 5,
                        source: .systemClock)
                ] : [], tracks: tracks)
    }

    static func address(_ last: UInt8) -> RecordedAddress {
        RecordedAddress(bytes: [last, 0x0b, 0, 0, 0, 0xc0], type: 1)
    }

    static func sample(_ start: Instant, _ end: Instant, _ mean: Double, txPower: Int? = nil) -> Sample<
        Instant
    > {
        Sample(
            start: start, end: end, readingCount: 9, minimumDBm: -90, maximumDBm: -30,
            meanDBm: mean, txPowerDBm: txPower)
    }

    private static var alicesTrack: RecordedTrack {
        RecordedTrack(
            number: 1, firstSighting: 1_005, address: address(1),
            identifications: [
                Identification(instant: 1_500, identity: alice),
                Identification(instant: 11_500, identity: alice),
                Identification(instant: 12_000, identity: bob),
            ],
            samples: [
                sample(1_005, 9_000, -66, txPower: 8), sample(9_100, 12_000, -70.5, txPower: -12),
                sample(12_100, 15_000, -103.2),
            ], lastReading: 15_000, readingCount: 27)
    }

    private static var strangersTrack: RecordedTrack {
        RecordedTrack(
            number: 2, firstSighting: 2_000, address: address(2),
            samples: [sample(2_000, 2_000, -0.4)], lastReading: 2_000, readingCount: 1)
    }

    private static var headlessTrack: RecordedTrack {
        RecordedTrack(
            number: 3, identifications: [Identification(instant: 500, identity: bob)],
            samples: [sample(600, 900, -55)])
    }

    static func text(
        _ name: HeraldLogFiles.Name, _ log: HeraldLog, _ generation: HeraldLogGeneration = .second,
        zone: LocalZone = .utc
    ) -> String {
        var bytes: [UInt8] = []
        HeraldLogFiles(log: log, generation: generation, zone: zone).write(name) { piece, _ in
            bytes += piece
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
