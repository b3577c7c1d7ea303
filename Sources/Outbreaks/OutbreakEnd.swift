import Archive
import FixedMemory
import Reports
import Simulator

/// One scheme's way from the patient's records to who learns that he was near: the report, the authority, and what wearers
/// do with what it publishes.
protocol OutbreakEnd {
    var scheme: OutbreakScheme { get }

    /// - Parameter records: of all wearers, the patient's first.
    func findings(in records: [WearerRecord], _ report: ReportedIllness) throws -> [Finding]
}

/// When the patient reports, and what of.
struct ReportedIllness {
    /// Since 1970; published half a day later.
    let seconds: UInt64
    /// Reported ones, counted from 1970.
    let days: Range<UInt32>
}

/// Somebody learns that he was near the patient at an instant.
struct Finding: Hashable {
    let wearer: Int
    /// Since 1970.
    let seconds: UInt64
}

extension OutbreakEnd {
    /// What wearers find who search their own records for published keys.
    func findings<Searched: RecordedScheme>(
        in records: [WearerRecord], for keys: [PublishedIdentityKey<Searched.PublishedKey>],
        of scheme: Searched.Type, _ report: ReportedIllness
    ) throws -> [Finding] {
        try records.dropFirst().flatMap { record in
            let search = try IdentitySearch(
                record.encounters, for: keys, of: scheme, nowMilliseconds: Int64(report.seconds) * 1_000)
            return search.matches.flatMap { match in
                match.samples.map {
                    Finding(wearer: record.wearer, seconds: UInt64($0.startMilliseconds / 1_000))
                }
            }
        }
    }
}
