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
        discussion: """
            Examples:
              tabardctl messages --since 2h
              tabardctl messages --board Foyer --json

            Devices with Herald can send bytes at once ("immediate messages") and share the payloads \
            of other devices that they heard. A board records both unchanged. The table shows text \
            as text and other bytes in hexadecimal.
            """)

    @Flag(help: "Print a JSON array.")
    var json = false

    @OptionGroup var time: TimeOptions
    @OptionGroup var archive: EvidenceOptions

    func execute() throws(Failure) {
        var filter = EncounterFilter()
        (filter.since, filter.until) = try time.times()
        let archive = try archive.open(.reading)
        let boards = try time.boards(of: archive)
        filter.boards = Set(boards.map(\.identity))
        try LockedPagesText.printNote(archive, boards)
        let messages = try archiving { () throws(ArchiveError) in try archive.messages(matching: filter) }
        guard !json else {
            do { Console.write(try MessageDocument.json(messages)) } catch {
                throw Failure(.data, "cannot write the messages as JSON: \(error)")
            }
            return
        }
        guard !messages.isEmpty else {
            Console.report("no messages; fetch new data with `tabardctl sync`")
            return
        }
        let labels = Dictionary(
            boards.map { ($0.identity, $0.label) }, uniquingKeysWith: { first, _ in first })
        let clock = TimeText()
        var table = TextTable([
            .init(title: "TIME"), .init(title: "ERROR", isNumber: true), .init(title: "BOARD"),
            .init(title: "FROM"), .init(title: "MESSAGE"),
        ])
        for message in messages {
            table.append([
                clock.moment(message.time, on: message.timeline),
                clock.error(
                    of: message.timeline, message.error,
                    notBefore: message.notBefore, notAfter: message.notAfter),
                labels[message.board] ?? message.board.short,
                message.sender?.label ?? message.address?.text ?? "unknown", MessageText.line(message),
            ])
        }
        Console.print(table.text())
        Console.report("times are \(clock.zoneName)")
    }
}
