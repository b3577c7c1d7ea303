import Archive
import ArchiveTestSupport
import EncounterLog
import FixedMemory
import LogContents

/// 2026-11-21T12:00:00Z
let noon: WallClockTime = 1_795_262_400_000

/// The point on a wall-clock timeline this long after ``noon``.
func pastNoon(_ interval: Interval) -> TimelinePoint { TimelinePoint(noon) + interval }

extension LogIdentity {
    static var test: LogIdentity {
        guard let identity = LogIdentity([UInt8](1...16)) else {
            preconditionFailure("16 bytes are an identity")
        }
        return identity
    }
}

extension Identity {
    static let alice = Identity(
        scheme: SchemeCode(.herald), payload: [0x10, 0x3a, 0x03, 0, 0, 0xa1, 0x1c, 0xe0])
    static let bob = Identity(
        scheme: SchemeCode(.herald), payload: [0x10, 0x3a, 0x03, 0, 0, 0xb0, 0xb0, 0xb0])
}

extension RecordedTrack {
    /// A complete track with a sample of 10 RSSI readings every 8 s.
    static func test(
        _ number: UInt32, _ identity: Identity?, from start: Instant, to end: Instant, address: UInt8 = 1
    ) -> RecordedTrack {
        let buckets = stride(from: start.milliseconds, to: end.milliseconds, by: 8_000)
        let samples = buckets.map(Instant.init(milliseconds:)).map { bucket in
            Sample(
                start: bucket, end: min(bucket + 8_000, end), readingCount: 10,
                minimumDBm: -70,
                maximumDBm: -60, meanDBm: -65)
        }
        return RecordedTrack(
            number: number, firstSighting: start,
            address: RecordedAddress(bytes: [address, 0, 0, 0, 0, 0xc0], type: 1),
            identifications: identity.map {
                [Identification(instant: start + 500, identity: $0)]
            } ?? [],
            samples: samples, lastReading: end, readingCount: 10 * samples.count)
    }
}

extension BootHistory {
    /// `anchoredAt`: the wall time of monotonic zero.
    static func test(
        _ identifier: UInt64, anchoredAt wallClock: WallClockTime?, error: Interval = 20, start: Instant = 0,
        gap: Interval = 30_000,
        tracks: [RecordedTrack]
    ) -> BootHistory {
        let anchors = wallClock.map { wallClock in
            [
                Anchor(
                    instant: 0, wallClock: wallClock, error: error,
                    source: .systemClock)
            ]
        }
        return BootHistory(
            identifier: identifier,
            parameters: BootParameters(
                start: start, softwareVersion: "0.1.0", sampleLength: 8_000,
                encounterTimeout: gap,
                lossWindow: 30_000, role: 0),
            anchors: anchors ?? [], tracks: tracks)
    }
}

extension BootHistory {
    /// A boot with nothing but coverage: (from, to, reports) in monotonic milliseconds. `anchoredAt`: the
    /// wall time of monotonic zero. Each coverage entry counts one malformed report.
    static func covering(
        _ identifier: UInt64, anchoredAt wallClock: WallClockTime?, error: Interval = 20, start: Instant? = 0,
        _ pieces: [(Instant, Instant, Int)]
    ) -> BootHistory {
        var boot = BootHistory.test(
            identifier, anchoredAt: wallClock, error: error, start: start ?? 0, tracks: [])
        if start == nil { boot.parameters = nil }
        boot.coverage = pieces.map { from, to, reports in
            Coverage(
                start: from, end: to, reportCount: reports, malformedCount: 1)
        }
        return boot
    }
}

extension RadioIncident {
    static func rung(_ time: Instant, _ fault: RadioFaultKind, _ rung: RecoveryRung) -> RadioIncident {
        RadioIncident(instant: time, event: .rungTaken, fault: fault, rung: rung)
    }
}
