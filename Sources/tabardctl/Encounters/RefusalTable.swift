import Archive
import CommandLineText
import LogContents
import Reports

/// The identities that boards refused, for people.
struct RefusalTable {
    let refusals: [RefusalSummary]
    /// The boards' labels.
    let labels: [LogIdentity: String]
    let time: TimeText

    var table: TextTable {
        var table = TextTable([
            .init(title: "SCHEME"), .init(title: "WHY", narrowing: .wrapped(minimum: 12)),
            .init(title: "COUNT", isNumber: true), .init(title: "FIRST", narrowing: .dropped(rank: 1)),
            .init(title: "LAST"), .init(title: "BOARD", narrowing: .wrapped(minimum: 6)),
        ])
        for refusal in refusals {
            table.append([
                refusal.scheme.label, "\(refusal.reason.text)", "\(refusal.count)",
                time.moment(refusal.first, on: refusal.timeline),
                time.moment(refusal.last, on: refusal.timeline),
                labels[refusal.board] ?? refusal.board.short,
            ])
        }
        return table
    }
}
