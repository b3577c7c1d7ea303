import Analysis
import ArgumentParser
import CommandLineText
import Foundation
import Reports
import TextFormats

struct AnalyseFormalCommand: ReportingCommand {
    static let configuration = CommandConfiguration(
        commandName: "formal",
        abstract: "Say how much of what there was to hear devices heard of each other.",
        discussion: """
            Herald's formal test: detection (ordered pairs that met), continuity (30-second windows with a contact) and \
            longevity (the last hour beside the first), by the rules of Herald's own script, quirks included. Each \
            folder is a device's, with contacts.csv and detection.csv of a phone with Herald or of \
            `tabardctl export herald`, or a folder of such folders.

            Times are of the logs' clock, without a zone. Without --start and --end: from when the last device had \
            joined to when the first left.

            Examples:
              tabardctl analyse formal test-1
              tabardctl analyse formal test-1 phones/A10 --start "2026-11-21 09:00:00" --end "2026-11-21 21:00:00"
              tabardctl analyse formal 20201208 --json
            """)

    @Argument(help: ArgumentHelp("Folders of devices, or of tests.", valueName: "folder"))
    var folders: [String]

    @Option(help: ArgumentHelp("When the last device had joined.", valueName: "time"))
    var start: String?

    @Option(help: ArgumentHelp("When the first device left.", valueName: "time"))
    var end: String?

    @Option(
        help: ArgumentHelp(
            "When the setting up began: pairs that met from here on count as detected, and longevity is of the hour "
                + "from here (by default --start).", valueName: "time"))
    var outerStart: String?

    @Option(
        help: ArgumentHelp("When all was over, for the same (by default --end).", valueName: "time"))
    var outerEnd: String?

    @Flag(help: "Print a JSON object.")
    var json = false

    func execute() throws(Failure) {
        let given = (
            start: try time(start, "--start"), end: try time(end, "--end"),
            outerStart: try time(outerStart, "--outer-start"), outerEnd: try time(outerEnd, "--outer-end")
        )
        let participants = try FormalTestFolders(folders).participants()
        let shared = FormalTest(sharedBy: participants.map(\.observations))
        guard let first = given.start ?? shared?.startSeconds, let last = given.end ?? shared?.endSeconds
        else {
            throw Failure(.data, "the logs have no time in common; say --start and --end")
        }
        guard var test = FormalTest(startSeconds: first, endSeconds: last) else {
            throw Failure(
                .usage,
                "the test would start at \(CivilTime.text(first)) and end at \(CivilTime.text(last)); say --start and --end"
            )
        }
        test.outerStartSeconds = given.outerStart ?? first
        test.outerEndSeconds = given.outerEnd ?? last
        guard test.outerStartSeconds < test.outerEndSeconds else {
            throw Failure(.usage, "--outer-start is not before --outer-end; exchange them")
        }
        let document = FormalDocument(test.result(of: participants))
        if json {
            do { Console.write(try document.json()) } catch {
                throw Failure(.data, "the figures cannot be written as JSON: \(error)")
            }
        } else {
            Console.print(FormalTable(document: document).text)
        }
    }

    private func time(_ text: String?, _ option: String) throws(Failure) -> Int64? {
        guard let text else { return nil }
        let spaced = text.replacing("T", with: " ")
        let whole = [spaced, spaced + ":00", spaced + " 00:00:00"].first {
            $0.count == CivilTime.textByteCount
        }
        guard let whole, let seconds = CivilTime.seconds(ArraySlice(Array(whole.utf8))) else {
            throw Failure(.usage, "\(option) \(text): not a time; write \"2026-11-21 09:00:00\"")
        }
        return seconds
    }
}
