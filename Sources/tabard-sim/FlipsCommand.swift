import ArgumentParser
import FlashSimulator
import Foundation
import Simulator

/// Damages a log in every way that flash does.
struct FlipsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "flips",
        abstract:
            "Flips bits of a log and damages pages of it: what is lost must be said, and be no more than the page.",
        discussion: """
            The log is that of `tabard-sim powercut`, its ring gone round, on each medium, in clear and sealed. Each line has \
            as many flipped bits, and all kinds of damaged pages together as many pages, as the options say. \
            docs/powercut.md says how it is judged.
            """)

    @Option(help: "Flipped bits.") var bits = 10_000
    @Option(help: "Damaged pages.") var damagedPages = 1_000
    @Option(help: "The seed.") var seed: UInt64 = 1
    @Option(help: "Only this medium: file, nand or nor.") var medium: PowerCutScenario.Medium?
    @Option(help: "Only these pages: clear or sealed.") var pages: PowerCutScenario.Pages?
    @OptionGroup var version: VersionOption

    private static let failuresShown = 20
    private static let table = TextTable(widths: [7, 8, 12], numberWidth: 12)

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
                    try replay.fail("\(medium) \(pages): the log cannot be written: \(error)")
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
            throw Failure(
                "\(failures) times damage was not noticed, or cost more than its page", exitCode: EX_SOFTWARE)
        }
    }

    /// Which page is damaged, and how, depends on all the damage before it.
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
            "\(medium)", "\(pages)", "\(damage)", "\(counts.tried)", "\(counts.openings)",
            "\(counts.harmless)",
            "\(counts.pageLost)", "\(counts.moreLost)", "\(counts.silent)", "\(counts.notMounted)",
            "\(counts.identitiesLost)")
    }
}
