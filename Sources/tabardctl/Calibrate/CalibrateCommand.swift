import ArgumentParser
import CommandLineText
import Foundation
import Ranging
import Reports

struct CalibrateCommand: ReportingCommand {
    static let configuration = CommandConfiguration(
        commandName: "calibrate", abstract: "Fit distance intervals to walk tests.",
        usage: """
            tabardctl calibrate --runs <file> [--save <file>] [<options>]
            tabardctl calibrate <walk test> ... --receiver <model>
                --transmitter <model> [--save <file>] [<options>]
            """,
        discussion: """
            Examples:
              tabardctl calibrate --runs runs.csv --save distance.json
              tabardctl calibrate monday.csv tuesday.csv friday.csv \\
                  --receiver Badge --transmitter Badge

            A walk test is a CSV file "time,rssi,distance": a line for each reading, in dBm and \
            centimetres. Two devices are kept at known distances, from near to far. --runs names a \
            CSV file with the columns file, receiver, transmitter and session. Tests of one occasion \
            need the same session; without it, each file is one.

            The command fits the fall of signal strength with distance, and an interval that has the true \
            distance in 80 % of cases. It proves that on each session with a fit to the others, and \
            lists every run, whatever its coverage. A pair of models without another session is "not \
            calibrated" (docs/distance.md).

            Exit codes: 0 done; 65 a file is damaged, or the tests do not make a calibration; 66 no such \
            file; 73 the file to save exists.
            """)

    @Argument(
        help: ArgumentHelp("Walk tests of one pair of models.", valueName: "walk test"), completion: .file())
    var files: [String] = []

    @Option(help: ArgumentHelp("Model that measured the signal.", valueName: "model"))
    var receiver: String?

    @Option(help: ArgumentHelp("Model that sent it.", valueName: "model"))
    var transmitter: String?

    @Option(
        help: ArgumentHelp("CSV file that lists walk tests and their models.", valueName: "file"),
        completion: .file())
    var runs: String?

    @Option(help: ArgumentHelp("Write the calibration to this file.", valueName: "file"), completion: .file())
    var save: String?

    @Flag(help: "Overwrite an existing file.")
    var force = false

    @OptionGroup var output: CSVOutputOptions

    func validate() throws {
        guard (runs == nil) != files.isEmpty else {
            throw ValidationError("give walk tests, or --runs with a file that lists them")
        }
        guard files.isEmpty || receiver != nil && transmitter != nil else {
            throw ValidationError("walk tests need --receiver and --transmitter")
        }
        guard runs == nil || receiver == nil && transmitter == nil else {
            throw ValidationError("--runs names the models itself; omit --receiver and --transmitter")
        }
    }

    func execute() throws(Failure) {
        let listing = output.listing()
        if let save { try OutputFile.requireAbsence(of: save, force: force) }
        let list =
            if let runs {
                try WalkTestList(table: runs)
            } else {
                WalkTestList(files: files, receiver: receiver ?? "", transmitter: transmitter ?? "")
            }
        let calibration = try calibration(list.walkTests())
        let document = CalibrationRunsDocument(calibration.evaluation)
        try listing.write(document) { () throws(Failure) in
            listing.print(table(document))
            for line in summary(calibration.evaluation) { listing.print(line) }
        }
        guard let save else { return }
        do { try OutputFile.write(try calibration.json(), to: save) } catch let failure as Failure {
            throw failure
        } catch {
            throw Failure(.data, "\(save): cannot be written: \(error)")
        }
        Console.report(
            "\(save): calibration of \(Count.text(calibration.calibratedPairs.count, "pair")) of models")
    }

    private func calibration(_ tests: [WalkTest]) throws(Failure) -> DistanceCalibration {
        do throws(CalibrationRefusal) {
            return try DistanceCalibration(walkTests: tests, created: Date())
        } catch {
            throw Failure(.data, "not calibrated: \(error)")
        }
    }

    private func table(_ document: CalibrationRunsDocument) -> TextTable {
        var table = TextTable([
            .init(title: "SESSION", narrowing: .wrapped(minimum: 10)),
            .init(title: "RECEIVER", narrowing: .wrapped(minimum: 8)),
            .init(title: "TRANSMITTER", narrowing: .wrapped(minimum: 8)),
            .init(title: "COVERAGE", isNumber: true), .init(title: "WIDTH", isNumber: true),
            .init(title: "OPEN", isNumber: true, narrowing: .dropped(rank: 1)),
            .init(title: "WITHOUT RSSI", isNumber: true, narrowing: .dropped(rank: 2)),
            .init(title: "STATE", narrowing: .wrapped(minimum: 10)),
        ])
        for run in document.runs {
            table.append([
                run.session, run.receiver, run.transmitter, run.coverage.map(Self.percent) ?? "-",
                run.meanWidthCentimetres.map(Self.centimetres) ?? "-",
                run.openShare.map(Self.percent) ?? "-",
                run.priorWidthCentimetres.map(Self.centimetres) ?? "-",
                run.isCalibrated ? "calibrated" : "not calibrated without it",
            ])
        }
        return table
    }

    private func summary(_ evaluation: CoverageEvaluation) -> [String] {
        func line(_ name: String, _ pooled: CoverageEvaluation.Pooled?) -> String? {
            pooled.map {
                "\(name): \(Self.percent($0.coverage)) within the 80 % interval in \(Count.text($0.sessionCount, "session")) "
                    + "that it was not fitted to; mean width \(Self.centimetres($0.meanWidthCentimetres)), without "
                    + "RSSI \(Self.centimetres($0.priorWidthCentimetres))"
            }
        }
        return [
            line("calibrated pairs", evaluation.calibrated)
                ?? "calibrated pairs: no pair has two sessions, so no session could be tried",
            line("all runs", evaluation.all),
        ].compactMap(\.self)
    }

    private static func percent(_ share: Double) -> String { String(format: "%.1f %%", share * 100) }
    private static func centimetres(_ length: Double) -> String { String(format: "%.0f cm", length) }
}
