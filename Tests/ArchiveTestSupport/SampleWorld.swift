import Archive
import EncounterLog
import FixedMemory
import LogContents
import TestSupport

/// A morning at one venue, the same in every run: phones that come and go, a restart, a radio fault, a device
/// that never presents an identity, and a boot without a clock.
package enum SampleWorld {
    /// 2026-11-21T09:00:00Z
    package static let morning: WallClockTime = 1_795_251_600_000
    package static let minute: Interval = 60_000

    package static var board: LogIdentity {
        guard let identity = LogIdentity([UInt8](0x40...0x4f)) else {
            preconditionFailure("16 bytes are an identity")
        }
        return identity
    }

    package static func history() -> BoardHistory {
        var generator = SeededGenerator(seed: 7)
        var first = boot(
            0x1111_2222_3333_4444, from: 0, to: 71, anchored: true,
            tracks: [
                track(1, phone(1), from: 3, to: 41, nearest: -52, &generator),
                track(2, phone(2), from: 12, to: 19, nearest: -71, &generator),
                track(3, nil, from: 22, to: 26, nearest: -83, &generator),
                track(4, phone(3), from: 31, to: 69, nearest: -60, &generator),
                track(5, phone(2), from: 48, to: 58, nearest: -64, &generator),
                track(6, venue(), from: 8, to: 33, nearest: -77, &generator),
            ], coverage: [(0, 36, 20_000), (42, 71, 20_000)])
        first.radioIncidents = [
            RadioIncident(
                instant: .start + 37 * minute, event: .rungTaken, fault: .commandTimeout,
                rung: .restartScan, detail: 0x200c),
            RadioIncident(
                instant: .start + 40 * minute, event: .rungTaken, fault: .commandTimeout, rung: .reset,
                detail: 0x200c),
            RadioIncident(
                instant: .start + 42 * minute, event: .recovered, fault: .commandTimeout, rung: .reset),
        ]
        let second = boot(
            0x5555_6666_7777_8888, from: 72, to: 120, anchored: true,
            tracks: [
                track(1, phone(4), from: 80, to: 112, nearest: -48, &generator),
                track(2, phone(1), from: 84, to: 89, nearest: -79, &generator),
                track(3, phone(5), from: 101, to: 119, nearest: -67, &generator),
            ], coverage: [(74, 92, 20_000), (92, 97, 0), (97, 107, 9_000), (109, 120, 9_000)])
        let third = boot(
            0x9999_aaaa_bbbb_cccc, from: 0, to: 20, anchored: false,
            tracks: [track(1, phone(6), from: 4, to: 17, nearest: -58, &generator)],
            coverage: [(0, 20, 4_000)])
        return BoardHistory(board: board, name: "Foyer", boots: [first, second, third])
    }

    package static func phone(_ number: UInt8) -> Identity {
        var generator = SeededGenerator(seed: UInt64(number))
        return Identity(scheme: SchemeCode(.herald), payload: [0x10, 0x3a, 0x03, 0, 0] + generator.bytes(16))
    }

    /// 826/4/123456 "Adams Pizza"
    package static func venue() -> Identity {
        let payload = [UInt8](hex: "303a03040040e20100100b4164616d732050697a7a61")
        return Identity(scheme: SchemeCode(.herald), payload: payload)
    }

    private static func boot(
        _ identifier: UInt64, from start: UInt64, to end: UInt64, anchored: Bool, tracks: [RecordedTrack],
        coverage: [(UInt64, UInt64, Int)]
    ) -> BootHistory {
        let anchor = Anchor(
            instant: 0, wallClock: morning, error: 40, source: .host)
        return BootHistory(
            identifier: identifier,
            parameters: BootParameters(
                start: .start + start * minute, softwareVersion: "0.1.0", sampleLength: 8_000,
                encounterTimeout: 30_000, lossWindow: 30_000, role: 0),
            anchors: anchored ? [anchor] : [], tracks: tracks,
            coverage: coverage.map { from, to, reports in
                Coverage(
                    start: .start + from * minute, end: .start + to * minute, reportCount: reports,
                    malformedCount: 2, droppedCount: 1)
            })
    }

    /// A peer that approaches, stays and leaves, with the fluctuation of real RSSI.
    private static func track(
        _ number: UInt32, _ identity: Identity?, from start: UInt64, to end: UInt64, nearest: Int,
        _ generator: inout SeededGenerator
    ) -> RecordedTrack {
        let first = Instant.start + start * minute
        let last = Instant.start + end * minute
        var samples: [Sample<Instant>] = []
        var flutter = 0
        for bucket in stride(from: first.milliseconds, to: last.milliseconds, by: 8_000).map(
            Instant.init(milliseconds:))
        {
            flutter = max(-8, min(8, flutter + Int.random(in: -3...3, using: &generator)))
            let edge = min(bucket - first, last - bucket)
            let mean = max(-98, nearest - max(0, 24 - Int(edge / 7_000 as UInt64)) + flutter)
            // Occasionally nothing is received for a while.
            if Int.random(in: 0..<24, using: &generator) == 0 { continue }
            samples.append(
                Sample(
                    start: bucket, end: min(bucket + 7_600, last),
                    readingCount: Int.random(in: 8...30, using: &generator),
                    minimumDBm: mean - Int.random(in: 2...8, using: &generator),
                    maximumDBm: mean + Int.random(in: 1...5, using: &generator), meanDBm: Double(mean)))
        }
        return RecordedTrack(
            number: number, firstSighting: first,
            address: RecordedAddress(bytes: [UInt8(number), 2, 3, 4, 5, 0x46], type: 1),
            identifications: identity.map { [Identification(instant: first, identity: $0)] }
                ?? [],
            samples: samples, lastReading: last,
            readingCount: samples.reduce(0) { $0 + $1.readingCount })
    }
}
