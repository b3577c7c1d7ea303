import Authority
import Exposure
import FixedMemory
import Schemes
import TextFormats

/// CovidTracer: the patient sends a form with the keys of sixteen days. The authority publishes those of past
/// days at noon and at midnight.
struct CovidTracerFlow: OutbreakFlow {
    let scheme = SchemeID.covidTracer
    /// The root of the patient's keys.
    let root: CovidTracerRootKey

    func submission(of patient: WearerRecord, _ report: ReportedIllness) throws -> Submission {
        let onset = report.days.lowerBound + UInt32(CovidTracerReport.daysBeforeOnset)
        let form = try CovidTracerReport(
            root: root, symptomOnset: CalendarDate(daysSince1970: onset), isTested: true)
        return .covidTracer(form, host: ReportedIllness.host)
    }

    func findings(
        from submitted: [UInt8], in records: [WearerRecord], _ report: ReportedIllness, asOf seconds: UInt64
    ) throws -> [Finding] {
        guard let fields = CovidTracerReport.fields(of: try request(submitted)) else {
            throw OutbreakFailure.notRead(scheme)
        }
        var register = CovidTracerRegister()
        try register.accept(fields, from: "the patient's", at: report.seconds)
        let rows = register.cases(at: report.seconds + CovidTracerRegister.batchSeconds)
        let file = CovidTracerCases.json(rows).line
        guard let cases = CovidTracerCases.cases(try JSONReader.read(file)) else {
            throw OutbreakFailure.notRead(scheme)
        }
        let keys = cases.map { PublishedIdentityKey($0.key, text: $0.key.text, kind: $0.type) }
        return try findings(in: records, for: keys, of: CovidTracer.self, asOf: seconds)
    }
}
