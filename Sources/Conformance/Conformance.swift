import Authority
import TextFormats

/// Runs files of test vectors (docs/schemes.md), with a result for each case.
public enum Conformance {
    /// Runs all cases of a file.
    ///
    /// Nothing in a file is ignored. An unknown or invalid part gives a failed result, and there is always at
    /// least one result.
    ///
    /// - Parameter report: called with each result; false ends the run.
    public static func run(_ file: [UInt8], report: (CaseResult) -> Bool) {
        do throws(JSONError) {
            run(try JSONReader.read(file), report: report)
        } catch {
            _ = report(CaseResult(path: "", failure: error.description))
        }
    }

    public static func run(_ file: JSONValue, report: (CaseResult) -> Bool) {
        do throws(VectorError) {
            let root = try VectorObject(file, path: "")
            let names = root.names
            guard !names.isEmpty else { throw VectorError(path: "", reason: "no vectors in the file") }
            for name in names {
                for vector in try cases(of: name, in: root) {
                    guard report(vector.result()) else { return }
                }
            }
            if let gap = PublishedVectors.gap(in: file) {
                _ = report(CaseResult(path: gap.path, failure: gap.reason))
            }
        } catch {
            _ = report(CaseResult(path: error.path, failure: error.reason))
        }
    }

    /// The cases of one of the file's sections.
    static func cases(of name: String, in root: VectorObject) throws(VectorError) -> [VectorCase] {
        switch name {
        case "ble_proximity": try BLEProximityVectors.cases(root)
        case "chains", "notify", "publication", "matching": try CovidTracerVectors.cases(name, root)
        case "official", "metadata_cases", "own", "official_tek_hmac", "official_export", "own_export":
            try ExposureNotificationVectors.cases(name, root)
        default: try SonarVectors.cases(name, root)
        }
    }
}

/// The result of a case.
public struct CaseResult: Equatable, Sendable {
    /// The case's path in the file, or that of the failed value.
    public let path: String
    /// Nil if the case passed.
    public let failure: String?
}

/// A part of a file that passes or fails.
struct VectorCase {
    let object: VectorObject
    let check: (VectorObject) throws -> Void

    /// - Parameter check: reads all of the object's fields.
    init(_ object: VectorObject, _ check: @escaping (VectorObject) throws -> Void) {
        self.object = object
        self.check = check
    }

    func result() -> CaseResult {
        let name = object.informativeText("name").map { " \($0)" } ?? ""
        do {
            try check(object)
            try object.finish()
            return CaseResult(path: object.path + name, failure: nil)
        } catch let error as VectorError {
            return CaseResult(path: error.path, failure: error.reason)
        } catch {
            return CaseResult(path: object.path + name, failure: "\(error)")
        }
    }
}
