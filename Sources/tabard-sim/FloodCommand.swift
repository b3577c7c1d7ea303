import ArgumentParser
import Foundation
import Simulator

/// Floods of reports.
struct FloodCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "flood",
        abstract: "Floods a board with reports: no answer may be lost, and nobody who stays.")

    @Option(help: "The seed.") var seed: UInt64 = 1

    func run() throws {
        let fast = Flood(perSecond: 10_000, seconds: 60, stayers: 20, seed: seed)
        print(
            "flood: \(fast.reportCount) reports taken, 10000 a second for 60 s; \(fast.commandCount) commands, "
                + "\(fast.answerCount) answers, \(fast.recoveryActions) recovery actions")
        // What the agent sends as it stops is answered when nobody listens any more.
        guard fast.commandCount - fast.answerCount <= 1, fast.recoveryActions == 0 else {
            throw Failure("answers were lost in the flood", exitCode: EX_SOFTWARE)
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
