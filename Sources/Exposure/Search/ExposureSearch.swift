import Archive
import Authority
import EncounterLog
import FixedMemory
import LogContents
import Matching
import Schemes

/// Finds encounters of Exposure Notification that belong to published keys.
public struct ExposureSearch: Sendable {
    /// The retention time of phones. It applies here too, even if the archive has kept older contacts.
    public static let retentionDays = ContactRetention()[.scheme(SchemeCode(.exposureNotification))]

    /// In order of the encounters' starts.
    public private(set) var exposures: [Exposure] = []
    /// In order of their starts.
    public private(set) var windows: [BoardExposureWindow] = []
    public private(set) var counts: SearchCounts

    /// - Parameters:
    ///   - encounters: of any scheme; only those of Exposure Notification count.
    ///   - now: contacts from more than 14 days before do not match.
    ///   - receiverCorrectionDB: the correction that is added to the boards' RSSI readings.
    public init(
        _ encounters: [Encounter], for published: PublishedKeys, now: WallClockTime,
        mapping: DiagnosisKeyMapping, receiverCorrectionDB: Int = 0
    ) throws(ExposureSearchError) {
        let recorded = SearchedEncounters(
            encounters, of: .exposureNotification, now: now
        ) { try? ExposureNotificationIdentity(parsing: $0) }
        counts = recorded.counts
        exposures = try Self.exposures(recorded.candidates, published)
        windows = Self.windows(exposures, mapping, receiverCorrectionDB)
    }

    /// Searches an archive, of which only the encounters that may match are in memory.
    ///
    /// - Parameter filter: its boards, and whether written identities count; nothing else of it applies.
    public init(
        _ archive: Archive, matching filter: EncounterFilter, for published: PublishedKeys,
        now: WallClockTime, mapping: DiagnosisKeyMapping, receiverCorrectionDB: Int = 0
    ) throws(ArchivedSearchError) {
        let scan = IdentityScan(
            archive: archive, scheme: .exposureNotification, filter: filter, now: now
        ) { (try? ExposureNotificationIdentity(parsing: $0))?.identifier }
        let countBound = published.keys.reduce(0) { $0 + Int($1.key.rollingPeriod) }
        let found = try scan.search(
            for: .init(countBound: countBound) { visit in
                var expander = try ExposureKeyExpander()
                for key in published.keys {
                    try expander.expand(key.key)
                    let identifiers = expander.identifiers
                    for index in identifiers.indices { visit(PrefixSet.prefix(of: identifiers[index])) }
                }
            })
        do throws(ExposureSearchError) {
            try self.init(
                found.encounters, for: published, now: now, mapping: mapping,
                receiverCorrectionDB: receiverCorrectionDB)
        } catch {
            throw .cryptography
        }
        counts = found.counts
    }

    private typealias Candidate = SearchedEncounters<ExposureNotificationIdentity>.Candidate

    private static func exposures(
        _ candidates: [Candidate], _ published: PublishedKeys
    ) throws(ExposureSearchError) -> [Exposure] {
        // Each sample is matched separately, because the first may lie within the time tolerance and the last
        // outside it.
        var heard: [HeardIdentifier] = []
        var origins: [(candidate: Int, sample: Int?)] = []
        for (index, candidate) in candidates.enumerated() {
            let identifier = candidate.identity.identifier
            for (place, sample) in candidate.samples.enumerated() {
                heard.append(HeardIdentifier(identifier, at: sample.start.seconds))
                origins.append((index, place))
            }
            if candidate.samples.isEmpty {
                heard.append(HeardIdentifier(identifier, at: candidate.start.seconds))
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
            ($0.encounter.start, $0.encounter.board.hexadecimal)
                < ($1.encounter.start, $1.encounter.board.hexadecimal)
        }
    }

    private static func exposure(
        _ candidate: Candidate, _ published: PublishedKey, _ interval: ExposureNotificationInterval,
        _ samples: [Int]
    ) throws(ExposureNotificationError) -> Exposure {
        let identity = candidate.identity
        let keys = try RollingKeys(published.key)
        let metadata = try keys.decrypt(identity.metadata, with: identity.identifier)
        let power = metadata.txPowerDBm
        return Exposure(
            encounter: candidate.encounter, published: published, interval: interval,
            samples: samples.sorted().map { candidate.samples[$0] },
            txPowerDBm: ExposureSighting.powersDBm.contains(power) ? power : nil,
            calibrationConfidence: metadata.calibrationConfidence)
    }

    /// The windows of each key at each board, over all identifiers derived from the key.
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
                    board: exposures[0].encounter.board, published: published, window: $0,
                    calibrationConfidence: exposures.map(\.calibrationConfidence).min() ?? 0)
            }
        }
        return windows.sorted { $0.order.lexicographicallyPrecedes($1.order) }
    }
}

public enum ExposureSearchError: Error, Equatable, Sendable {
    /// libcrypto or mbedTLS ran out of memory.
    case cryptography
}

extension Exposure {
    fileprivate func scanned(_ sample: Sample<WallClockTime>, _ correctionDB: Int) -> SampledScans.Sample? {
        let rssi = Int8(clamping: Int(sample.meanDBm.rounded()))
        guard let txPowerDBm,
            let sighting = ExposureSighting(
                unixSeconds: 0, txPowerDBm: txPowerDBm, rssiDBm: rssi, receiverCorrectionDB: correctionDB)
        else { return nil }
        return SampledScans.Sample(
            start: sample.start,
            end: max(sample.start, sample.end),
            attenuationDB: sighting.attenuationDB)
    }
}

extension BoardExposureWindow {
    /// A key for a stable order: by time, then by board and key.
    fileprivate var order: [UInt8] {
        withUnsafeBytes(of: window.startSeconds.bigEndian) { [UInt8]($0) } + board.bytes
            + [UInt8](copying: published.key.data.span)
    }
}
