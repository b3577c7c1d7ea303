import ArgumentParser
import CommandLineText
import Conformance
import Exposure
import Foundation

struct ConformanceCommand: ReportingCommand {
    static let configuration = CommandConfiguration(
        commandName: "conformance",
        abstract: "Check our arithmetic of identities against files of test vectors.",
        discussion: """
            Runs each case of JSON files of vectors for Sonar, CovidTracer, BLE-Proximity and Exposure Notification, what \
            must be refused included, and prints a line for each. A field that is not understood is an error, and so is one \
            that could be changed without effect: docs/schemes.md says what is demanded of a file.

            Exit code 0: every case ran and holds; 65: one does not, or something is not understood; 66: there is no such \
            file.

            Examples:
              tabardctl conformance sonar.json gaen.json
              tabardctl conformance Tests/Vectors/schemes/*.json
            """)

    @Argument(help: ArgumentHelp("Files of vectors.", valueName: "file"))
    var files: [String]

    func execute() throws(Failure) {
        var failureCount = 0
        for path in files {
            let file: Data
            do { file = try Data(contentsOf: URL(filePath: path)) } catch {
                throw Failure(.noInput, "\(path): cannot be read; is it there?")
            }
            var caseCount = 0
            Conformance.run([UInt8](file)) { result in
                caseCount += 1
                let place = "\(path): \(result.path)"
                if let failure = result.failure {
                    failureCount += 1
                    Console.print("FAILED  \(place): \(failure)")
                } else {
                    Console.print("ok      \(place)")
                }
                return true
            }
            Console.note("\(path): \(caseCount) cases")
        }
        guard failureCount == 0 else {
            throw Failure(.data, "\(failureCount) cases do not hold or are not understood; see above")
        }
    }
}
