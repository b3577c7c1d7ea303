import ArgumentParser
import CommandLineText
import Foundation
import Simulator

/// Searches a board for secrets that a thief could find after a busy day.
struct ThiefCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "thief",
        abstract: "Check that an encrypted log reveals nothing.",
        usage: "tabard-sim thief [<options>]",
        discussion: """
            Examples:
              tabard-sim thief
              tabard-sim thief --visitors 100 --hours 2 --image thief.img

            The command simulates a wearable's busy day with an encrypted log. It searches the image \
            of the medium for any six consecutive bytes of a payload, an address, a private key or \
            the secret of the board's identities. The same day without an owner key proves that the \
            search works. AttackerTests cover other attacks.
            """)

    @Option(help: "Number of visitors, 1 to 100000.") var visitors = 1_000
    @Option(help: "Simulated hours, 1 to 1000.") var hours: UInt64 = 24
    @Option(help: "Seed of the world.") var seed: UInt64 = 1
    @OptionGroup var version: VersionOption
    @Option(help: ArgumentHelp("Write the image of the medium to this file.", valueName: "file")) var image:
        String?

    func validate() throws {
        guard (1...1_000).contains(hours) else { throw ValidationError("--hours must be from 1 to 1000") }
        guard (1...100_000).contains(visitors) else {
            throw ValidationError("--visitors must be from 1 to 100000")
        }
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
        let keys = sealed.keys.map { [$0.board, $0.ownerKey] } ?? []
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
            try replay.fail("the search finds too little in an unencrypted log: \(foundInClear) findings")
        }
        guard found == 0 else { try replay.fail("a thief can read the log: \(found) findings") }
    }

    private func day(isSealed: Bool) -> BusyDay {
        BusyDay(visitors: visitors, hours: hours, seed: seed, isSealed: isSealed) { hour in
            ProgressText.show("\(isSealed ? "sealed" : "in clear"): hour \(hour) of \(hours)")
        }
    }
}
