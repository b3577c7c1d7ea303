import ArgumentParser
import Foundation
import Simulator

/// Floods of reports.
struct FloodCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "flood",
        abstract: "Floods a board with reports: no answer may be lost, and nobody who stays.")

    @Option(help: "The seed.") var seed: UInt64 = 1

    /// 10,000 a second, and so many commands that an answer could get lost.
    private static let leastReports: UInt64 = 600_000
    private static let leastCommands = 200

    func run() throws {
        let fast = Flood(perSecond: 11_000, seconds: 60, stayers: 20, visitors: 30, seed: seed)
        print(
            "flood: \(fast.reportCount) reports in 60 s, \(fast.lostReportCount) lost; \(fast.commandCount) commands "
                + "meanwhile, \(fast.answerCount) answers; \(fast.readVisitorCount) of \(fast.visitorCount) phones read, "
                + "\(fast.recoveryActions) recovery actions")
        guard fast.reportCount >= Self.leastReports, fast.commandCount >= Self.leastCommands else {
            throw Failure("that was no flood", exitCode: EX_SOFTWARE)
        }
        guard fast.answerCount == fast.commandCount, fast.lostReportCount == 0, fast.recoveryActions == 0,
            fast.readVisitorCount == fast.visitorCount
        else {
            throw Failure("answers, reports or phones were lost in the flood", exitCode: EX_SOFTWARE)
        }
        let calm = Flood(perSecond: 0, seconds: 54, stayers: 4_096, seed: seed)
        let wide = Flood(perSecond: 2_000, seconds: 54, stayers: 4_096, seed: seed)
        print(
            "flood: 100000 random addresses into a table of 4096; \(wide.stayerCount) who stay have "
                + "\(wide.stayerEncounterCount) encounters, without the flood \(calm.stayerEncounterCount)")
        guard wide.stayerEncounterCount == calm.stayerEncounterCount else {
            throw Failure("the flood ended encounters of some who stayed", exitCode: EX_SOFTWARE)
        }
    }
}
