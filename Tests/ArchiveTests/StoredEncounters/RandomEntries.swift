import EncounterLog
import FixedMemory
import LogContents
import TestSupport

@testable import Archive

/// Entries of one boot at random: few peers that come and go, about as often as an encounter times out.
struct RandomEntries {
    private(set) var entries: [LogEntry] = []
    /// The moment of the last entry.
    private(set) var end: Instant = 500

    static let peers: [Identity] =
        (0..<4).map { number in
            Identity(
                scheme: SchemeCode(.herald),
                payload: [0x10, 0x3a, 0x03, 0, 0, UInt8(number)] + [UInt8](repeating: 7, count: 15))
        }
        + [Identity(scheme: SchemeCode(.exposureNotification), payload: [UInt8](repeating: 9, count: 20))]

    /// - Parameters:
    ///   - start: the wall time of the boot's monotonic zero.
    ///   - served: the identities that the board serves in turn.
    init(
        boot: UInt64, from start: WallClockTime, serving served: [Identity],
        _ generator: inout SeededGenerator
    ) {
        if Int.random(in: 0..<8, using: &generator) > 0 {
            entries.append(
                .boot(
                    BootEntry(
                        bootIdentifier: boot, instant: 500, softwareVersion: Bytes(), sampleLength: 8_000,
                        encounterTimeout: .seconds(.random(in: 10...60, using: &generator)),
                        lossWindow: 30_000, role: .beacon)))
        }
        addAnchor(from: start, &generator)
        for number in 1...UInt32.random(in: 2...14, using: &generator) {
            addTrack(number, &generator)
            if Int.random(in: 0..<6, using: &generator) == 0 { addAnchor(from: start, &generator) }
            if Int.random(in: 0..<3, using: &generator) == 0 { serve(served, &generator) }
        }
        entries.append(
            .coverage(
                CoverageEntry(
                    start: 500, end: end, reports: 100, malformed: 0, dropped: 0, evicted: 0)))
    }

    private mutating func addAnchor(from start: WallClockTime, _ generator: inout SeededGenerator) {
        let errors: [UInt32] = [25, 2_000, 40_000, .max]
        guard let error = errors.randomElement(using: &generator), Bool.random(using: &generator) else {
            return
        }
        let elapsed = Interval.milliseconds(end.milliseconds)
        entries.append(
            .anchor(
                AnchorEntry(
                    instant: end, wallClock: start + elapsed, errorMilliseconds: error, source: .systemClock))
        )
    }

    /// Serves another identity from now on, or seldom none.
    private mutating func serve(_ identities: [Identity], _ generator: inout SeededGenerator) {
        guard let identity = identities.randomElement(using: &generator) else { return }
        let isSilent = Int.random(in: 0..<8, using: &generator) == 0
        entries.append(
            .ownIdentity(
                OwnIdentityEntry(
                    instant: end, address: Bytes(), addressType: 1, scheme: identity.scheme,
                    identity: isSilent
                        ? FixedBuffer() : FixedBuffer(identity.payload.span) ?? FixedBuffer())))
    }

    private mutating func addTrack(_ number: UInt32, _ generator: inout SeededGenerator) {
        var address = Bytes<6>()
        address[0] = .random(in: 0..<3, using: &generator)
        let start = end + .seconds(.random(in: 0...40, using: &generator))
        end = start + .seconds(.random(in: 1...20, using: &generator))
        if Int.random(in: 0..<10, using: &generator) > 0 {
            entries.append(
                .encounterOpened(
                    EncounterOpenedEntry(
                        encounter: number, instant: start, address: address, addressType: 1,
                        foundBy: .heraldService)))
        }
        for place in 0..<UInt64.random(in: 0...2, using: &generator) {
            guard let peer = Self.peers.randomElement(using: &generator) else { continue }
            let isWritten = Int.random(in: 0..<6, using: &generator) == 0
            entries.append(
                .encounterIdentified(
                    EncounterIdentifiedEntry(
                        encounter: number, instant: start + .milliseconds(300 + 4_000 * place),
                        scheme: peer.scheme, identity: FixedBuffer(peer.payload.span) ?? FixedBuffer(),
                        marks: isWritten ? .written : .none)))
        }
        entries.append(
            .sample(
                SampleEntry(
                    encounter: number, start: start, end: end,
                    readings: .random(in: 1...20, using: &generator),
                    minimumRSSIDBm: -90, maximumRSSIDBm: -60,
                    meanRSSITenthsDBm: .random(in: -900 ... -600, using: &generator))))
        if number.isMultiple(of: 2) {
            var readings = PackedReadings()
            for (rssiDBm, instant): (Int8, Instant) in [(-70, start), (-71, end)] {
                _ = readings.append(rssiDBm: rssiDBm, at: instant)
            }
            entries.append(.readings(ReadingsEntry(encounter: number, readings: readings)))
        }
        if Int.random(in: 0..<5, using: &generator) > 0 {
            entries.append(
                .encounterClosed(EncounterClosedEntry(encounter: number, instant: end, readings: 20)))
        }
    }
}
