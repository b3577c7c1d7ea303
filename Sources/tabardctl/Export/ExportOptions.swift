import Archive
import ArgumentParser
import CommandLineText
import Exports
import FixedMemory
import Foundation
import KeyFiles
import LogContents
import ProductVersion

/// The contacts to export, and how much of the people in them.
struct ExportOptions: ParsableArguments {
    @OptionGroup var contacts: ContactOptions

    @Flag(help: "Only contacts in which each board heard the other.")
    var bothSides = false

    @Flag(
        help: ArgumentHelp(
            "Include encounters with devices other than the archive's boards; each identity is a participant."
        ))
    var strangers = false

    @Option(
        name: .customLong("minimum-rssi"), parsing: .unconditional,
        help: ArgumentHelp(
            "Only contacts whose strongest reading is at least this, -127 to 20.", valueName: "dBm"))
    var minimumRSSI: Int?

    @Option(
        help: ArgumentHelp(
            "Join contacts of a pair, of equal certainty, with at most this time between them, such as 60s; "
                + "default 0s.",
            valueName: "span"))
    var joinGap: String?

    @Option(
        help: ArgumentHelp(
            "Round starts down and ends up to multiples of this, such as 5min, and presence and coverage alike; "
                + "default: exact.",
            valueName: "span"))
    var roundTime: String?

    @Option(
        help: ArgumentHelp(
            "Hide age, then sex, then group, until so many people are alike; default 1: hide nothing.",
            valueName: "count"))
    var smallestGroup = 1

    @Option(
        help: ArgumentHelp(
            "Codes in place of names and identities, made with the secret in this file; it is made if absent.",
            valueName: "file"), completion: .file())
    var pseudonyms: String?

    @OptionGroup var calibration: CalibrationOptions

    func validate() throws {
        if let minimumRSSI, !(-127...20).contains(minimumRSSI) {
            throw ValidationError("--minimum-rssi \(minimumRSSI): write -127 to 20 dBm")
        }
        guard (1...1_000_000).contains(smallestGroup) else {
            throw ValidationError("--smallest-group \(smallestGroup): write 1 or more")
        }
    }

    func network(of archive: Archive) throws(Failure) -> ContactNetwork {
        var parameters = ExportParameters()
        parameters.filter = try contacts.filter()
        parameters.filter.needsBothSides = bothSides
        let boards = try BoardChoice.boards(named: contacts.time.board, of: archive)
        if !contacts.time.board.isEmpty {
            parameters.filter.boards = Set(boards.map(\.identity))
            parameters.boardNames = boards.map(\.label)
        }
        try LockedPagesText.printNote(archive, boards)
        parameters.includesStrangers = strangers
        parameters.minimumRSSIdBm = minimumRSSI
        parameters.joinGap = try DurationArgument.duration(joinGap, "--join-gap") ?? .zero
        parameters.timeStep = try DurationArgument.duration(roundTime, "--round-time") ?? .zero
        parameters.smallestGroup = smallestGroup
        parameters.calibration = try calibration.read()
        // Last, because a new secret stays even if the export then fails.
        parameters.pseudonyms = try pseudonyms.map { path throws(Failure) in try PseudonymFile.read(path) }
        Interruption.watch()
        return try archiving { () throws(ArchiveError) in
            try ContactNetwork(archive, parameters) { !Interruption.isRequested }
        }
    }

    /// - Parameter format: what the format adds to the parameters.
    static func provenance(
        _ network: ContactNetwork, format: [String: String] = [:]
    ) throws(Failure) -> Provenance {
        try archiving { () throws(ArchiveError) in
            try Provenance(tool: "tabardctl \(ProductVersion.text)", network, format: format)
        }
    }
}
