import ArgumentParser
import Cards
import CommandLineText
import Foundation
import KeyFiles

struct PrepareCommand: ReportingCommand {
    static let configuration = CommandConfiguration(
        commandName: "prepare", abstract: "Make a card with Raspberry Pi OS ready for a board.",
        usage: "tabardctl prepare <folder>... [<options>]",
        discussion: """
            Examples:
              tabardctl prepare /media/anna/bootfs --venue-number 1234 --name Foyer
              tabardctl prepare /media/anna/bootfs --role wearable
              tabardctl prepare /media/anna/bootfs --cards cards.csv --posters posters
              tabardctl prepare /media/anna/bootfs --log

            Write Raspberry Pi OS Lite to the card first, and let the system mount its first partition, \
            bootfs. The command copies the package of the agent there, the board's settings, the \
            public keys of its owner and operator, and the step that installs them at the first boot. The \
            board then needs no network, screen or keyboard: power makes it a beacon, some minutes later.

            With --cards each line of a table makes one card, for as many cards as there are folders; at a \
            terminal the command asks for the next card. FILE.prepared lists the lines that are done, so a \
            later call goes on after them. The columns are named as the options are: role, \
            venue-number, name, area, url, country, state, and set with assignments between semicolons.
            """)

    @Argument(
        help: ArgumentHelp("Folder where the card's boot partition is mounted.", valueName: "folder"),
        completion: .directory)
    var folders: [String]

    @Option(
        name: .customLong("package"),
        help: ArgumentHelp(
            "Package of the agent, tabard_VERSION_arm64.deb or _armhf.deb; may be repeated. Default: the newest "
                + "in this folder or in build/packages.",
            valueName: "file"), completion: .file())
    var packages: [String] = []

    @OptionGroup var place: PlaceOptions

    @OptionGroup var keys: SetupKeys

    @Option(
        help: ArgumentHelp("Table with a line for each card (CSV).", valueName: "file"), completion: .file())
    var cards: String?

    @Option(
        help: ArgumentHelp(
            "With --cards: begin with this line of the table, the first card being 1.", valueName: "number"))
    var from: Int?

    @Option(
        help: ArgumentHelp(
            "Write each venue's poster with its QR code to this folder (SVG), created if needed.",
            valueName: "path"), completion: .directory)
    var posters: String?

    @Flag(help: "Print what the first boot of a prepared card said.")
    var log = false

    func validate() throws {
        guard !folders.isEmpty else {
            throw ValidationError("name the folder where the card's boot partition is mounted")
        }
        if cards == nil {
            if from != nil { throw ValidationError("--from needs --cards") }
            if folders.count > 1, !log {
                throw ValidationError("several cards would get one identity; give each its own with --cards")
            }
        }
        if let from, from < 1 { throw ValidationError("--from counts from 1") }
    }

    func execute() throws(Failure) {
        guard !log else {
            for folder in folders { try printLog(folder) }
            return
        }
        let source = PackageSource(given: packages)
        guard let cards else {
            let order = CardOrder(settings: place.settings)
            try order.settings.check()
            // The card comes before the keys: a wrong folder must not create new ones.
            let card = try CardOrder.card(folders[0])
            return try order.prepare(card, source, keys: keys.publicHalves(), posters: posters)
        }
        let run = try CardRun(table: cards, defaults: place, from: from)
        let keys = try keys.publicHalves()
        try run.run(folders: folders) { order, folder throws(Failure) in
            try order.prepare(CardOrder.card(folder), source, keys: keys, posters: posters)
        }
    }

    private func printLog(_ folder: String) throws(Failure) {
        let path = URL(filePath: folder).appending(path: CardContents.logName).path
        guard FileManager.default.fileExists(atPath: path) else {
            throw Failure(
                .noInput, "\(path): no such file: the card was not prepared, or its board has not started yet"
            )
        }
        Console.print(
            String(decoding: try Documents.bytes(path), as: UTF8.self).trimmingCharacters(in: .newlines))
    }
}
