import Authority
import FixedMemory
import Schemes

extension Submission {
    /// The keys of sixteen days, as the request that the app would send.
    public static func covidTracer(_ report: CovidTracerReport, host: String) -> Submission {
        let days = report.keys.map(\.date.text)
        return Submission(
            report.request(host: host).encoded,
            SubmissionText(
                recipient: "CovidTracer's authority",
                request: "\(CovidTracerReport.method) \(CovidTracerReport.path) at \(host)",
                contents: [
                    "the keys of \(days.count) days, \(days.first ?? "") to \(days.last ?? "") (UTC)",
                    report.isTested ? "a test confirmed the illness" : "symptoms, no test",
                    report.comment.isEmpty ? "no comment" : "the comment: \(report.comment)",
                ]))
    }
}
