import ArgumentParser
import CommandLineText
import FlashSimulator
import Foundation
import Simulator

/// Damages a log in every way that flash does.
struct FlipsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "flips",
        abstract:
            "Check that damaged bits and pages are detected.",
        usage: "tabard-sim flips [<options>]",
        discussion: """
            Examples:
              tabard-sim flips
              tabard-sim flips --medium nor --pages sealed --bits 1000

            The reader must report each damage and lose at most the damaged page. The log is that of \
            `tabard-sim powercut`, with a full ring, on each medium, unencrypted and encrypted. \
            docs/powercut.md defines the criteria.
            """)

    @Option(help: ArgumentHelp("Number of flipped bits.", valueName: "number")) var bits = 10_000
    @Option(help: ArgumentHelp("Number of damaged pages.", valueName: "number")) var damagedPages = 1_000
    @Option(help: "Seed of the log.") var seed: UInt64 = 1
    @Option(help: "Run only this medium: file, nand or nor.") var medium: PowerCutScenario.Medium?
    @Option(help: "Run only these pages: clear or sealed (encrypted).") var pages: PowerCutScenario.Pages?
    @OptionGroup var version: VersionOption

    private static let failuresShown = 20
    private static let table = ColumnLayout(widths: [7, 8, 12], numberWidth: 12)

    func run() throws {
        print(
            Self.table.row(
                "medium", "pages", "damage", "tried", "of openings", "harmless", "page lost", "more lost",
                "silent", "not mounted", "names lost"))
        var failures = 0
        for medium in PowerCutScenario.Medium.allCases where medium == self.medium ?? medium {
            for pages in PowerCutScenario.Pages.allCases where pages == self.pages ?? pages {
                let replay = replay(medium, pages)
                let trial: DamageTrial
                do {
                    trial = try DamageTrial(
                        PowerCutScenario(medium: medium, pages: pages, mode: .whole, seed: seed))
                } catch {
                    try replay.fail("\(medium) \(pages): cannot write the log: \(error)")
                }
                trial.onFailure = { text in
                    failures += 1
                    guard failures <= Self.failuresShown else { return }
                    ProgressText.clear()
                    print(replay.failure("\(medium) \(pages): \(text)"))
                }
                for damage in DamageTrial.Damage.allCases {
                    let times = damage == .flippedBit ? bits : damagedPages / DamageTrial.Damage.ofPages.count
                    ProgressText.show("\(medium) \(pages) \(damage)")
                    let counts = trial.run(damage, times: times)
                    ProgressText.clear()
                    print(Self.row(medium, pages, damage, counts))
                }
            }
        }
        guard failures == 0 else {
            throw Failure(.software, "\(failures) damages were not detected, or cost more than one page")
        }
    }

    /// The replay of all damage up to a failure, because the choice of page and damage depends on all damage
    /// before it.
    private func replay(
        _ medium: PowerCutScenario.Medium, _ pages: PowerCutScenario.Pages
    ) -> WorldReplay {
        version.world(
            seed: seed,
            [
                "flips", "--medium", "\(medium)", "--pages", "\(pages)", "--bits", "\(bits)",
                "--damaged-pages", "\(damagedPages)",
            ])
    }

    private static func row(
        _ medium: PowerCutScenario.Medium, _ pages: PowerCutScenario.Pages, _ damage: DamageTrial.Damage,
        _ counts: DamageCounts
    ) -> String {
        table.row(
            "\(medium)", "\(pages)", "\(damage)", "\(counts.tried)", "\(counts.segmentHeaders)",
            "\(counts.harmless)",
            "\(counts.pageLost)", "\(counts.moreLost)", "\(counts.silent)", "\(counts.notMounted)",
            "\(counts.identitiesLost)")
    }
}
