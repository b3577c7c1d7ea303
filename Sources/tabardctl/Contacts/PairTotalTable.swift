import Archive
import CommandLineText
import Reports

/// The contacts of each pair of boards, for people.
struct PairTotalTable: FootnotedTable {
    private let totals: PairTotals
    private let names: BoardNames
    private let time: TimeText
    private(set) var count = 0
    private(set) var table = TextTable([
        .init(title: "BOARD", narrowing: .wrapped(minimum: 6)),
        .init(title: "MET", narrowing: .wrapped(minimum: 6)),
        .init(title: "CONTACTS", isNumber: true, narrowing: .dropped(rank: 2)),
        .init(title: "TOGETHER", isNumber: true),
        .init(title: "LONGEST", isNumber: true, narrowing: .dropped(rank: 1)),
        .init(title: "FIRST"), .init(title: "LAST", narrowing: .dropped(rank: 3)),
    ])

    init(_ totals: PairTotals, names: BoardNames, time: TimeText) {
        self.totals = totals
        self.names = names
        self.time = time
    }

    mutating func append(_ pair: PairTotals.Pair, _ sum: PairTotals.Sum) {
        count += 1
        table.append([
            names[pair.first], names[pair.second], "\(sum.contactCount)", TimeText.duration(sum.time),
            TimeText.duration(sum.longest),
            time.moment(sum.firstStart, on: .wallClock(error: nil)),
            time.moment(sum.lastEnd, on: .wallClock(error: nil)),
        ])
    }

    var footnote: String {
        let pairCount = totals.sums.count
        let pairs = count < pairCount ? "\(count) of \(pairCount) pairs" : Count.text(pairCount, "pair")
        let undated =
            totals.undatedCount == 0
            ? "" : "; \(Count.text(totals.undatedCount, "contact")) without a clock left out"
        return "\(pairs); times are \(time.zoneName)\(undated)"
    }
}
