import ArgumentParser
import CommandLineText
import Foundation
import Simulator

/// Searches a board for secrets that a thief could find after a busy day.
struct ThiefCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "thief",
        abstract: "A wearable's busy day, its log sealed: nothing of it may be found in the medium's image.",
        discussion: """
            Looks for any six bytes in a row of anybody's payload or address, of the board's and the owner's private \
            keys and of the secret of the board's identities. The same day without an opening key shows that they would \
            be found. What a thief can try beyond looking is tried by AttackerTests.
            """)

    @Option(help: "How many visitors.") var visitors = 1_000
    @Option(help: "Simulated hours.") var hours: UInt64 = 24
    @Option(help: "The seed.") var seed: UInt64 = 1
    @OptionGroup var version: VersionOption
    @Option(help: ArgumentHelp("Write the image to FILE.", valueName: "file")) var image: String?

    func validate() throws {
        guard (1...1_000).contains(hours) else { throw ValidationError("--hours: 1 to 1000") }
        guard (1...100_000).contains(visitors) else { throw ValidationError("--visitors: 1 to 100000") }
    }

    func run() throws {
        let sealed = day(isSealed: true)
        let clear = day(isSealed: false)
        ProgressText.clear()
        if let image {
            do { try Data(sealed.image).write(to: URL(fileURLWithPath: image)) } catch {
                throw Failure(.cannotCreate, "\(image): \(error.localizedDescription)")
            }
        }
        let keys = sealed.keys.map { [$0.board, $0.opening] } ?? []
        let search = PlainSearch(sealed.secrets + keys + [sealed.identitySecret])
        let found = search.findings(in: sealed.image)
        let foundInClear = PlainSearch(clear.secrets).findings(in: clear.image)
        print(
            """
            thief: \(visitors) visitors in \(hours) h, seed \(seed), \(sealed.startCount) starts; looked for \
            \(sealed.secrets.count) payloads and addresses, \(keys.count) keys and a secret
              sealed: \(found) findings in \(sealed.image.count) bytes; \
            in clear, for comparison: \(foundInClear) in \(clear.image.count)
            """)
        let replay = version.world(
            seed: seed, ["thief", "--visitors", "\(visitors)", "--hours", "\(hours)"])
        guard foundInClear >= sealed.secrets.count else {
            try replay.fail("looking finds too little where all is in clear: \(foundInClear) findings")
        }
        guard found == 0 else { try replay.fail("a thief can read the log: \(found) findings") }
    }

    private func day(isSealed: Bool) -> BusyDay {
        BusyDay(visitors: visitors, hours: hours, seed: seed, isSealed: isSealed) { hour in
            ProgressText.show("\(isSealed ? "sealed" : "in clear"): hour \(hour) of \(hours)")
        }
    }
}
