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

    init(_ boards: [ListedBoard], time: TimeText) {
        for listed in boards {
            let board = listed.board
            table.append([
                board.name ?? "-", board.identity.short, listed.label.group ?? "-",
                listed.role.flatMap(\.name) ?? "-", board.lastSync.map(time.dateAndTime) ?? "never",
                ByteText.text(listed.contents.byteCount), "\(listed.contents.entryCount)",
                Self.state(listed, time),
            ])
        }
    }

    private static func state(_ listed: ListedBoard, _ time: TimeText) -> String {
        let lockedPageCount = listed.contents.lockedPageCount
        let damagedPageCount = listed.contents.damagedPageCount
        let parts = [
            listed.board.retirement.map { "retired \(time.shortDate($0))" },
            lockedPageCount > 0 ? "\(Count.text(lockedPageCount, "locked page"))" : nil,
            damagedPageCount > 0 ? "\(Count.text(damagedPageCount, "damaged page"))" : nil,
        ].compactMap(\.self)
        return parts.isEmpty ? "-" : parts.joined(separator: ", ")
    }
}
