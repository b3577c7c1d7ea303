import CommandLineText
import Exposure

/// An authority's table of days and reports, with failures in one line.
enum InfectiousnessFile {
    static func mapping(_ path: String) throws(Failure) -> DiagnosisKeyMapping {
        let bytes = try Documents.bytes(path)
        guard bytes.count <= 65_536, let text = String(validating: bytes, as: UTF8.self) else {
            throw Failure(.data, "\(path): no table of infectiousness; docs/schemes.md has its form")
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
        case .notTwoWords: "write two words: days, missing or report, and what they mean"
        case .noDays(let word):
            "\(word): write a day from -14 to 14, or days such as -14..-3, missing or report"
        case .noInfectiousness(let word): "\(word): write none, standard or high"
        case .noReportType(let word):
            "\(word): write confirmed-test, clinical, self-report, recursive or revoked"
        case .repeated(let name): "\(name) comes a second time; say each once"
        case .left("missing"): "nothing is said of keys without days; add a line: missing standard"
        case .left("report"):
            "nothing is said of keys without a report type; add a line: report confirmed-test"
        case .left(let name): "nothing is said of \(name); add it to a line"
        }
    }
}
