import Archive
import ArgumentParser
import CommandLineText
import FixedMemory
import Foundation
import Reports

struct MessagesCommand: ReportingCommand {
    static let configuration = CommandConfiguration(
        commandName: "messages",
        abstract: "List messages and payloads that devices wrote to boards.",
        usage: "tabardctl messages [<options>]",
        discussion: """
            Examples:
              tabardctl messages --since 2h
              tabardctl messages --board Foyer --json

            Devices with Herald can send bytes at once ("immediate messages") and share the payloads \
            of other devices that they heard. A board records both unchanged. The table shows text \
            as text and other bytes in hexadecimal.
            """)

    @OptionGroup var time: TimeOptions
    @OptionGroup var output: OutputOptions
    @OptionGroup var archive: EvidenceOptions

    func execute() throws(Failure) {
        let listing = try output.listing()
        var filter = EncounterFilter()
        (filter.since, filter.until) = try time.times()
        let archive = try archive.open(.reading)
        let boards = try time.boards(of: archive)
        filter.boards = Set(boards.map(\.identity))
        try LockedPagesText.printNote(archive, boards)
        let messages = try archiving { () throws(ArchiveError) in try archive.messages(matching: filter) }
        guard listing.format == .table else {
            return try listing.write("the messages") { try MessageDocument.json(messages) }
        }
        guard !messages.isEmpty else {
            let all = try archiving { () throws(ArchiveError) in try archive.messages(matching: .init()) }
            Console.report(AbsenceText.messages.text(of: all.count, time.description))
            return try listing.finish()
        }
        let labels = Dictionary(
            boards.map { ($0.identity, $0.label) }, uniquingKeysWith: { first, _ in first })
        let clock = TimeText()
        var table = TextTable([
            .init(title: "TIME"), .init(title: "ERROR", isNumber: true, narrowing: .wrapped(minimum: 8)),
            .init(title: "BOARD", narrowing: .wrapped(minimum: 6)),
            .init(title: "FROM", narrowing: .wrapped(minimum: 14)),
            .init(title: "MESSAGE", narrowing: .cut(minimum: 16)),
        ])
        for message in messages {
            table.append([
                clock.moment(message.moment.time, on: message.moment.timeline),
                clock.error(of: message.moment),
                labels[message.board] ?? message.board.short,
                message.sender?.label ?? message.address?.text ?? "unknown", MessageText.line(message),
            ])
        }
        listing.print(table)
        try listing.finish()
        Console.note("times are \(clock.zoneName)")
    }
}
