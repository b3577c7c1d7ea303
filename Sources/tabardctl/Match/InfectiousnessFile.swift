import CommandLineText
import Exposure

/// An authority's table of infectiousness by days and reports, with failures as one line.
enum InfectiousnessFile {
    static func mapping(_ path: String) throws(Failure) -> DiagnosisKeyMapping {
        let bytes = try Documents.bytes(path)
        guard bytes.count <= 65_536, let text = String(validating: bytes, as: UTF8.self) else {
            throw Failure(.data, "\(path): not a table of infectiousness; docs/schemes.md defines the format")
        }
        do throws(DiagnosisKeyMappingError) { return try DiagnosisKeyMapping(text: text) } catch {
            let place = error.line.map { "\(path): line \($0)" } ?? path
            throw Failure(.data, "\(place): \(error.reason.text)")
        }
    }
}

extension DiagnosisKeyMappingError.Reason {
    fileprivate var text: String {
        switch self {
        case .notTwoWords: "not two words; write days, missing or report, then the value"
        case .noDays(let word):
            "\(word): not days; write a day from -14 to 14, days such as -14..-3, missing or report"
        case .noInfectiousness(let word): "\(word): unknown; write none, standard or high"
        case .noReportType(let word):
            "\(word): unknown; write confirmed-test, clinical, self-report, recursive or revoked"
        case .repeated(let name): "\(name) occurs twice; remove one"
        case .left("missing"): "no value for keys without days; add a line: missing standard"
        case .left("report"):
            "no value for keys without a report type; add a line: report confirmed-test"
        case .left(let name): "no value for \(name); add it to a line"
        }
    }
}
