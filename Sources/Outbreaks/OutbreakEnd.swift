import Archive
import Authority
import Exposure
import FixedMemory
import Simulator
import TextFormats

/// One scheme's way from the patient's records to who learns that he was near: what he hands over, what the authority makes of it,
/// and what wearers do with what it publishes. Everything goes as bytes, by the code of `tabardctl submit`, `authority` and `match`.
protocol OutbreakEnd {
    var scheme: OutbreakScheme { get }

    /// What the patient would hand over at the time of the report.
    func submission(of patient: WearerRecord, _ report: ReportedIllness) throws -> Submission

    /// - Parameters:
    ///   - submitted: what the patient has handed over.
    ///   - records: of all wearers, the patient's first.
    ///   - seconds: when they look, since 1970.
    func findings(
        from submitted: [UInt8], in records: [WearerRecord], _ report: ReportedIllness, asOf seconds: UInt64
    ) throws -> [Finding]
}

/// When the patient reports, and what of.
struct ReportedIllness {
    /// Since 1970; published half a day later.
    let seconds: UInt64
    /// Reported ones, counted from 1970.
    let days: ClosedRange<UInt32>

    static let host = "authority.invalid"

    /// The same illness, reported later.
    func delayed(byDays count: Int) -> ReportedIllness {
        ReportedIllness(seconds: seconds + UInt64(count) * 86_400, days: days)
    }

    var today: UInt32 { UInt32(seconds / 86_400) }
}

/// Somebody learns that he was near the patient at an instant.
struct Finding: Hashable {
    let wearer: Int
    /// Since 1970.
    let seconds: UInt64
}

/// What was handed over or published is not what it is to be.
enum OutbreakFailure: Error {
    case notRead(OutbreakScheme)
    /// The authority does not take it.
    case refused(OutbreakScheme)
    /// There was nothing to publish.
    case notPublished(OutbreakScheme)
}

extension OutbreakEnd {
    /// What wearers find who search their own records for published keys.
    func findings<Searched: RecordedScheme>(
        in records: [WearerRecord], for keys: [PublishedIdentityKey<Searched.PublishedKey>],
        of _: Searched.Type, asOf seconds: UInt64
    ) throws -> [Finding] {
        try records.dropFirst().flatMap { record in
            let search = try IdentitySearch(
                record.encounters, for: keys, of: Searched.self, nowMilliseconds: Int64(seconds) * 1_000)
            return search.matches.flatMap { match in
                match.samples.map {
                    Finding(wearer: record.wearer, seconds: UInt64($0.startMilliseconds / 1_000))
                }
            }
        }
    }

    func request(_ submitted: [UInt8]) throws -> HTTPRequest {
        guard let request = HTTPRequest(parsing: submitted) else { throw OutbreakFailure.notRead(scheme) }
        return request
    }

    /// What a file says that was handed over or published.
    func document<Document: JSONDocument>(_ file: [UInt8]) throws -> Document {
        guard let document = Document(try JSONReader.read(file)) else {
            throw OutbreakFailure.notRead(scheme)
        }
        return document
    }
}
