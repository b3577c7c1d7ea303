import Archive
import Authority
import Exposure
import FixedMemory
import Schemes
import Simulator
import TextFormats

/// The flow of one scheme, from the patient's records to the wearers who learn that they were near. It
/// consists of the patient's submission, the authority's processing, and the search in what it publishes. All
/// data passes as bytes through the code of `tabardctl submit`, `authority` and `match`.
protocol OutbreakFlow {
    var scheme: SchemeID { get }

    /// The patient's submission at the time of the report.
    func submission(of patient: WearerRecord, _ report: ReportedIllness) throws -> Submission

    /// The exposures that wearers find.
    ///
    /// - Parameters:
    ///   - submitted: The bytes that the patient has submitted.
    ///   - records: The records of all wearers, the patient's first.
    ///   - seconds: The time of the search, in seconds since 1970.
    func findings(
        from submitted: [UInt8], in records: [WearerRecord], _ report: ReportedIllness, asOf seconds: UInt64
    ) throws -> [Finding]
}

/// The time and the days of the patient's report.
struct ReportedIllness {
    /// The time of the report in seconds since 1970; the authority publishes half a day later.
    let seconds: UInt64
    /// The reported days, counted from 1970.
    let days: ClosedRange<UInt32>

    static let host = "authority.invalid"

    /// The same illness, reported later.
    func delayed(byDays count: Int) -> ReportedIllness {
        ReportedIllness(seconds: seconds + UInt64(count) * 86_400, days: days)
    }

    var today: UInt32 { UInt32(seconds / 86_400) }
}

/// An instant at which a wearer learns to have been near the patient.
struct Finding: Hashable {
    let wearer: Int
    /// Seconds since 1970.
    let seconds: UInt64
}

/// A submission or publication that failed.
enum OutbreakFailure: Error {
    case notRead(SchemeID)
    /// The authority refuses the submission.
    case refused(SchemeID)
    /// There was nothing to publish.
    case notPublished(SchemeID)
}

extension OutbreakFlow {
    /// The exposures that wearers find when they search their own records for published keys.
    func findings<Searched: RecordedScheme>(
        in records: [WearerRecord], for keys: [PublishedIdentityKey<Searched.PublishedKey>],
        of _: Searched.Type, asOf seconds: UInt64
    ) throws -> [Finding] {
        try records.dropFirst().flatMap { record in
            let search = try IdentitySearch(
                record.archive, matching: EncounterFilter(), for: keys, of: Searched.self,
                now: WallClockTime(seconds: seconds))
            return search.matches.flatMap { match in
                match.samples.map {
                    Finding(wearer: record.wearer, seconds: $0.start.seconds)
                }
            }
        }
    }

    func request(_ submitted: [UInt8]) throws -> HTTPRequest {
        guard let request = HTTPRequest(parsing: submitted) else { throw OutbreakFailure.notRead(scheme) }
        return request
    }

    /// Parses a file that was submitted or published.
    func document<Document: JSONDocument>(_ file: [UInt8]) throws -> Document {
        guard let document = Document(try JSONReader.read(file)) else {
            throw OutbreakFailure.notRead(scheme)
        }
        return document
    }
}
