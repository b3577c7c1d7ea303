import Archive
import CommandLineText
import EncounterLog
import LogContents
import Reports

/// The boards of an archive, for people.
struct BoardListTable {
    private(set) var table = TextTable([
        .init(title: "NAME", narrowing: .wrapped(minimum: 10)), .init(title: "LOG"),
        .init(title: "GROUP", narrowing: .dropped(rank: 3)),
        .init(title: "ROLE", narrowing: .dropped(rank: 2)),
        .init(title: "LAST FETCHED"), .init(title: "SIZE", isNumber: true),
        .init(title: "ENTRIES", isNumber: true, narrowing: .dropped(rank: 1)),
        .init(title: "STATE", narrowing: .wrapped(minimum: 10)),
    ])

    init(
        _ boards: [BoardSummary], labels: Labels, roles: [LogIdentity: LogRole], time: TimeText
    ) {
        for board in boards {
            table.append([
                board.name ?? "-", board.identity.short, labels[board.identity].group ?? "-",
                roles[board.identity].flatMap(\.name) ?? "-",
                board.lastSync.map(time.dateAndTime) ?? "never", ByteText.text(board.byteCount),
                "\(board.entryCount)", Self.state(board, time),
            ])
        }
    }

    private static func state(_ board: BoardSummary, _ time: TimeText) -> String {
        let parts = [
            board.retirement.map { "retired \(time.shortDate($0))" },
            board.lockedPageCount > 0 ? "\(Count.text(board.lockedPageCount, "locked page"))" : nil,
            board.damagedPageCount > 0 ? "\(Count.text(board.damagedPageCount, "damaged page"))" : nil,
        ].compactMap(\.self)
        return parts.isEmpty ? "-" : parts.joined(separator: ", ")
    }
}
