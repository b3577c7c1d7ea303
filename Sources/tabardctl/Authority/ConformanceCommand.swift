import ArgumentParser
import CommandLineText
import Conformance
import Exposure

struct ConformanceCommand: ReportingCommand {
    static let configuration = CommandConfiguration(
        commandName: "conformance",
        abstract: "Check the schemes' computations against test vectors.",
        discussion: """
            Examples:
              tabardctl conformance sonar.json gaen.json
              tabardctl conformance Tests/Vectors/schemes/*.json

            Each file has vectors for Sonar, CovidTracer, BLE-Proximity or Exposure Notification. \
            The command runs each case, including the ones that must be refused, and prints a line \
            for each.

            An unknown field is an error, and so is a field whose value has no effect. \
            docs/schemes.md defines the format.

            Exit codes: 0 every case passed; 65 a case failed or was not understood; 66 no such \
            file.
            """)

    @Argument(help: ArgumentHelp("JSON file of test vectors.", valueName: "file"), completion: .file())
    var files: [String]

    func execute() throws(Failure) {
        var failureCount = 0
        for path in files {
            let file = try Documents.bytes(path)
            var caseCount = 0
            Conformance.run(file) { result in
                caseCount += 1
                let place = result.path.isEmpty ? path : "\(path): \(result.path)"
                if let failure = result.failure {
                    failureCount += 1
                    Console.print("FAILED  \(place): \(failure)")
                } else {
                    Console.print("ok      \(place)")
                }
                return true
            }
            Console.report("\(path): \(Count.text(caseCount, "case"))")
        }
        guard failureCount == 0 else {
            throw Failure(
                .data, "\(Count.text(failureCount, "case")) failed or could not be understood; see above")
        }
    }
}
