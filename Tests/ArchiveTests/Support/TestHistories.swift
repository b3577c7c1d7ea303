import Archive
import EncounterLog
import LogContents

/// 2026-11-21T12:00:00Z
let noon: Int64 = 1_795_262_400_000

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
        _ number: UInt32, _ identity: Identity?, from start: Int64, to end: Int64, address: UInt8 = 1
    ) -> RecordedTrack {
        let samples = stride(from: start, to: end, by: 8_000).map { bucket in
            Sample(
                startMilliseconds: bucket, endMilliseconds: min(bucket + 8_000, end), readingCount: 10,
                minimumDBm: -70,
                maximumDBm: -60, meanDBm: -65)
        }
        return RecordedTrack(
            number: number, firstSightingMilliseconds: start,
            address: RecordedAddress(bytes: [address, 0, 0, 0, 0, 0xc0], type: 1),
            identifications: identity.map {
                [Identification(monotonicMilliseconds: start + 500, identity: $0)]
            } ?? [],
            samples: samples, lastReadingMilliseconds: end, readingCount: 10 * samples.count)
    }
}

extension BootHistory {
    /// `anchoredAt`: the wall time of monotonic zero.
    static func test(
        _ identifier: UInt64, anchoredAt wallClock: Int64?, error: Int64 = 20, start: Int64 = 0,
        gap: Int64 = 30_000,
        tracks: [RecordedTrack]
    ) -> BootHistory {
        let anchors = wallClock.map { wallClock in
            [
                Anchor(
                    monotonicMilliseconds: 0, wallClockMilliseconds: wallClock, errorMilliseconds: error,
                    source: .systemClock)
            ]
        }
        return BootHistory(
            identifier: identifier,
            parameters: BootParameters(
                startMilliseconds: start, softwareVersion: "0.1.0", sampleMilliseconds: 8_000,
                gapMilliseconds: gap,
                lossWindowMilliseconds: 30_000, role: 0),
            anchors: anchors ?? [], tracks: tracks)
    }
}

extension BootHistory {
    /// A boot with nothing but coverage: (from, to, reports) in monotonic milliseconds. `anchoredAt`: the
    /// wall time of monotonic zero. Each coverage entry counts one malformed report.
    static func covering(
        _ identifier: UInt64, anchoredAt wallClock: Int64?, error: Int64 = 20, start: Int64? = 0,
        _ pieces: [(Int64, Int64, Int)]
    ) -> BootHistory {
        var boot = BootHistory.test(
            identifier, anchoredAt: wallClock, error: error, start: start ?? 0, tracks: [])
        if start == nil { boot.parameters = nil }
        boot.coverage = pieces.map { from, to, reports in
            Coverage(
                startMilliseconds: from, endMilliseconds: to, reportCount: reports, malformedCount: 1)
        }
        return boot
    }
}

extension RadioIncident {
    static func rung(_ time: Int64, _ fault: RadioFaultKind, _ rung: RecoveryRung) -> RadioIncident {
        RadioIncident(monotonicMilliseconds: time, event: .rungTaken, fault: fault, rung: rung)
    }
}
