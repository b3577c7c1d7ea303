import ArgumentParser
import Foundation
import Simulator

/// Floods a board with reports.
struct FloodCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "flood",
        abstract: "Check a board under a flood of advertising reports.",
        usage: "tabard-sim flood [<options>]",
        discussion: """
            Examples:
              tabard-sim flood --seed 3
              tabard-sim flood --minutes 240

            The first flood has at least 10,000 reports in each second. The board must lose no report and \
            no answer, must read all phones, and must not try to recover its radio. The second flood has \
            100,000 random addresses. The board must keep the encounters of 4,096 devices that stay.
            The next two try to push the evidence out of the log, with Herald adverts from new addresses \
            and from addresses that stay. The log must keep all identified encounters, and its bytes an \
            hour and a day must stay within the budget. The last one repeats requests over the cable.
            """)

    @Option(help: "Seed of the world.") var seed: UInt64 = 1
    @Option(help: "Simulated minutes of each flood of the log, 1 to 10000.") var minutes: UInt64 = 10
    @Option(help: "Herald adverts per second in the floods of the log, 1 to 2000.") var addresses: UInt64 =
        500
    @OptionGroup var version: VersionOption

    /// High enough that 10,000 reports remain in a second in which the board connects, and therefore does not
    /// scan.
    private static let fastPerSecond: UInt64 = 40_000

    /// The peer table holds 4,096 peers, and turns newcomers away when all of them stay (docs/crowds.md).
    static let keptAddressCount: UInt64 = 3_000
    /// The bytes an hour for peers that stay without identity: the burst, and what the rate gives.
    static let lastingByteLimit: UInt64 = 256 << 10 + 1_250_000

    func validate() throws {
        guard (1...10_000).contains(minutes) else {
            throw ValidationError("--minutes must be from 1 to 10000")
        }
        guard (1...2_000).contains(addresses) else {
            throw ValidationError("--addresses must be from 1 to 2000")
        }
    }

    func run() throws {
        let fast = Flood(
            perSecond: Self.fastPerSecond, seconds: 60, stayers: 20, visitors: 40, seed: seed
        ).outcome
        print(
            "flood: \(fast.reportCount) reports in \(fast.reportsBySecond.count) s, "
                + "\(fast.reportsBySecond.min() ?? 0) in the least of them, \(fast.lostReportCount) lost, "
                + "\(fast.lostPacketCount) packets lost because the kernel had no room; "
                + "\(fast.commandCount) commands in the meantime, \(fast.answerCount) answers; "
                + "\(fast.readVisitorCount) of \(fast.visitorCount) phones read, "
                + "\(fast.recoveryActions) recovery actions")
        let calm = Flood(perSecond: 0, seconds: 54, stayers: 4_096, seed: seed).outcome
        let wide = Flood(perSecond: 2_000, seconds: 54, stayers: 4_096, seed: seed).outcome
        print(
            "flood: \(wide.randomAddressCount) random addresses into a table of 4096; \(wide.stays.count) that stay have "
                + "\(wide.stayCount) encounters, without the flood \(calm.stayCount)")
        let complaints =
            [fast.complaint, wide.complaint(beside: calm)].compactMap(\.self) + floodLog() + burnPages()
        let words = ["flood", "--minutes", "\(minutes)", "--addresses", "\(addresses)"]
        for complaint in complaints { print(version.world(seed: seed, words).failure(complaint)) }
        if !complaints.isEmpty { throw ExitCode(EX_SOFTWARE) }
    }
}
