import Archive
import Authority
import EncounterLog
import FixedMemory
import LogContents
import Matching
import Schemes

/// Finds in what boards recorded of Exposure Notification whatever belongs to published keys.
public struct ExposureSearch: Sendable {
    /// Phones keep what they heard for so long; so does this, whether the archive has forgotten what is older or not.
    public static let retentionDays = ContactRetention()[.scheme(SchemeCode(.exposureNotification))]

    /// By encounters' beginnings.
    public private(set) var exposures: [Exposure] = []
    /// By their beginnings.
    public private(set) var windows: [BoardExposureWindow] = []
    public let counts: SearchCounts

    /// - Parameters:
    ///   - encounters: of any scheme; others than Exposure Notification's are passed over.
    ///   - nowMilliseconds: since 1970; what was heard earlier than 14 days before does not match.
    ///   - receiverCorrectionDB: what boards' receivers have to be added to their readings.
    public init(
        _ encounters: [Encounter], for published: PublishedKeys, nowMilliseconds: Int64,
        mapping: DiagnosisKeyMapping, receiverCorrectionDB: Int = 0
    ) throws(ExposureSearchError) {
        let recorded = SearchedEncounters(
            encounters, of: .exposureNotification, retentionDays: Self.retentionDays,
            nowMilliseconds: nowMilliseconds
        ) { try? ExposureNotificationIdentity(parsing: $0) }
        counts = recorded.counts
        exposures = try Self.exposures(recorded.candidates, published)
        windows = Self.windows(exposures, mapping, receiverCorrectionDB)
    }

    private typealias Candidate = SearchedEncounters<ExposureNotificationIdentity>.Candidate

    private static func exposures(
        _ candidates: [Candidate], _ published: PublishedKeys
    ) throws(ExposureSearchError) -> [Exposure] {
        // Each sample for itself: within the tolerance the first may be, and the last not.
        var heard: [HeardIdentifier] = []
        var origins: [(candidate: Int, sample: Int?)] = []
        for (index, candidate) in candidates.enumerated() {
            let identifier = candidate.identity.identifier
            for (place, sample) in candidate.samples.enumerated() {
                heard.append(HeardIdentifier(identifier, at: UInt64(sample.startMilliseconds / 1_000)))
                origins.append((index, place))
            }
            if candidate.samples.isEmpty {
                let start = candidate.encounter.startMilliseconds
                heard.append(HeardIdentifier(identifier, at: UInt64(start / 1_000)))
                origins.append((index, nil))
            }
        }
        var exposures: [Exposure] = []
        do {
            var matcher = try ExposureKeyMatcher(heard)
            for key in published.keys {
                var found: [Int: (interval: ExposureNotificationInterval, samples: [Int])] = [:]
                try matcher.match(key.key) { place, interval in
                    let (index, sample) = origins[place]
                    found[index, default: (interval, [])].samples += sample.map { [$0] } ?? []
                }
                for (index, match) in found {
                    exposures.append(try exposure(candidates[index], key, match.interval, match.samples))
                }
            }
        } catch {
            throw .cryptography
        }
        return exposures.sorted {
            ($0.encounter.startMilliseconds, $0.encounter.board.hexadecimal)
                < ($1.encounter.startMilliseconds, $1.encounter.board.hexadecimal)
        }
    }

    private static func exposure(
        _ candidate: Candidate, _ published: PublishedKey, _ interval: ExposureNotificationInterval,
        _ samples: [Int]
    ) throws(ExposureNotificationError) -> Exposure {
        let identity = candidate.identity
        let keys = try RollingKeys(published.key)
        let power = try keys.decrypt(identity.metadata, with: identity.identifier).txPowerDBm
        return Exposure(
            encounter: candidate.encounter, published: published, interval: interval,
            samples: samples.sorted().map { candidate.samples[$0] },
            txPowerDBm: ExposureSighting.powersDBm.contains(power) ? power : nil)
    }

    /// Of one key and one board together, whatever identifiers the key had meanwhile.
    private static func windows(
        _ exposures: [Exposure], _ mapping: DiagnosisKeyMapping, _ correctionDB: Int
    ) -> [BoardExposureWindow] {
        struct Meeting: Hashable {
            let board: LogIdentity
            let key: [UInt8]
        }
        let meetings = Dictionary(grouping: exposures) {
            Meeting(board: $0.encounter.board, key: [UInt8](copying: $0.published.key.data.span))
        }
        let windows = meetings.values.flatMap { exposures in
            let published = exposures[0].published
            let samples = exposures.flatMap { exposure in
                exposure.samples.compactMap { exposure.scanned($0, correctionDB) }
            }
            return ExposureWindow.windows(
                of: SampledScans.sightings(of: samples),
                infectiousness: mapping.infectiousness(daysSinceOnset: published.daysSinceOnset),
                reportType: mapping.reportType(published.reportType)
            ).map {
                BoardExposureWindow(
                    board: exposures[0].encounter.board, published: published, window: $0)
            }
        }
        return windows.sorted { $0.order.lexicographicallyPrecedes($1.order) }
    }
}

public enum ExposureSearchError: Error, Equatable, Sendable {
    /// libcrypto or mbedTLS had no memory left.
    case cryptography
}

extension Exposure {
    fileprivate func scanned(_ sample: Sample, _ correctionDB: Int) -> SampledScans.Sample? {
        let rssi = Int8(clamping: Int(sample.meanDBm.rounded()))
        guard let txPowerDBm,
            let sighting = ExposureSighting(
                unixSeconds: 0, txPowerDBm: txPowerDBm, rssiDBm: rssi, receiverCorrectionDB: correctionDB)
        else { return nil }
        return SampledScans.Sample(
            startMilliseconds: sample.startMilliseconds,
            endMilliseconds: max(sample.startMilliseconds, sample.endMilliseconds),
            attenuationDB: sighting.attenuationDB)
    }
}

extension BoardExposureWindow {
    /// By time, then always alike.
    fileprivate var order: [UInt8] {
        withUnsafeBytes(of: window.startSeconds.bigEndian) { [UInt8]($0) } + board.bytes
            + [UInt8](copying: published.key.data.span)
    }
}
