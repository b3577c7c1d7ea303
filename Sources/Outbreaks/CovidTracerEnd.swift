import Authority
import FixedMemory
import Reports
import Schemes

/// CovidTracer: the patient sends a form with the keys of sixteen days; those that are over are published at noon and at
/// midnight.
struct CovidTracerEnd: OutbreakEnd {
    let scheme = OutbreakScheme.covidTracer
    /// The patient's.
    let root: CovidTracerRootKey

    func findings(in records: [WearerRecord], _ report: ReportedIllness) throws -> [Finding] {
        let onset = report.days.lowerBound + UInt32(CovidTracerReport.daysBeforeOnset)
        let form = try CovidTracerReport(
            root: root, symptomOnset: CalendarDate(daysSince1970: onset), isTested: true)
        var register = CovidTracerRegister()
        try register.accept(form.fields, from: "the patient's", at: report.seconds)
        let cases = register.cases(at: report.seconds + CovidTracerRegister.batchSeconds)
        let keys = cases.map { PublishedIdentityKey($0.key, text: $0.key.text) }
        return try findings(in: records, for: keys, of: CovidTracer.self, report)
    }
}
