import Analysis
import ArgumentParser
import CommandLineText
import FixedMemory
import Foundation
import Reports
import TextFormats

struct AnalyseFormalCommand: ReportingCommand {
    static let configuration = CommandConfiguration(
        commandName: "formal",
        abstract: "Compute Herald's formal test results from logs.",
        usage: "tabardctl analyse formal <folder> ... [<options>]",
        discussion: """
            Examples:
              tabardctl analyse formal test-1
              tabardctl analyse formal test-1 phones/A10 --start "2026-11-21 09:00:00" \\
                  --end "2026-11-21 21:00:00"
              tabardctl analyse formal 20201208 --json

            The command computes the results as Herald's own script does. Detection counts the \
            ordered pairs of devices that met. Continuity counts the 30-second windows with a \
            contact. Longevity compares the last hour with the first.

            Each folder belongs to one device and holds contacts.csv and detection.csv. A phone with \
            Herald writes these files, and so does `tabardctl export herald`. A folder of such \
            folders works too.

            Times are in the clock of the logs and have no time zone. By default the test starts \
            when the last device joined and ends when the first device left.
            """)

    @Argument(
        help: ArgumentHelp(
            "Folder of one device, or of one test with a folder per device.", valueName: "folder"),
        completion: .directory)
    var folders: [String]

    @Option(
        help: ArgumentHelp(
            "Time when the last device joined; default: taken from the logs.", valueName: "time"))
    var start: String?

    @Option(
        help: ArgumentHelp(
            "Time when the first device left; default: taken from the logs.", valueName: "time"))
    var end: String?

    @Option(
        help: ArgumentHelp(
            "Time when setup began. Pairs that meet from then on count as detected, and the first hour of "
                + "longevity "
                + "starts here; default: --start.", valueName: "time"))
    var outerStart: String?

    @Option(
        help: ArgumentHelp(
            "Time when the whole test ended, for the same two results; default: --end.", valueName: "time"))
    var outerEnd: String?

    @OptionGroup var output: OutputOptions

    func execute() throws(Failure) {
        let listing = try output.listing()
        let given = (
            start: try time(start, "--start"), end: try time(end, "--end"),
            outerStart: try time(outerStart, "--outer-start"), outerEnd: try time(outerEnd, "--outer-end")
        )
        let participants = try FormalTestFolders(folders).participants()
        let shared = FormalTest(sharedBy: participants.map(\.observations))
        guard let first = given.start ?? shared?.startSeconds, let last = given.end ?? shared?.endSeconds
        else {
            throw Failure(.data, "the logs have no time in common; give --start and --end")
        }
        guard var test = FormalTest(startSeconds: first, endSeconds: last) else {
            throw Failure(
                .usage,
                "the test would start at \(CivilTime.text(first)) and end at \(CivilTime.text(last)); "
                    + "give --start and --end"
            )
        }
        test.outerStartSeconds = given.outerStart ?? first
        test.outerEndSeconds = given.outerEnd ?? last
        guard test.outerStartSeconds < test.outerEndSeconds else {
            throw Failure(.usage, "--outer-start is not before --outer-end; swap them")
        }
        if given.end == nil { noteEarlyEnd(of: participants, at: last) }
        let document = FormalDocument(test.result(of: participants))
        guard listing.format == .table else {
            return try listing.write("the results") { try document.json() }
        }
        let table = FormalTable(document: document)
        listing.print(table.sums)
        listing.print(table.pairs)
        try listing.finish()
    }

    /// Says which log has made the test short: it may have been cut.
    private func noteEarlyEnd(of participants: [FormalParticipant], at end: Int64) {
        guard let last = participants.compactMap(\.observations.lastSecond).max(),
            last - end > Self.earlySeconds,
            let first = participants.first(where: { $0.observations.lastSecond == end })
        else { return }
        Console.report(
            "\(first.device.name): its log ends \(TimeText.duration(.seconds(UInt64(last - end)))) before the last "
                + "one, and the test with it; check that it is whole, or give --end")
    }

    /// Devices that leave together end their logs within this time.
    private static let earlySeconds: Int64 = 30

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
