import Archive
import FixedMemory
import LogContents

/// The time that boards were together: a row and a column for each board, or for each group of boards.
struct ContactMatrix {
    struct Cell: Equatable {
        var time = Interval.zero
        var contactCount = 0
    }

    /// The maximum number of rows; the rest is summed up in one more.
    static let maximumRowCount = 40
    /// More boards than that are summed up by groups, if there are any.
    static let maximumBoardCount = 25

    let isOfGroups: Bool
    /// The name of each row and column.
    let names: [String]
    /// The number of boards of each row.
    let sizes: [Int]
    /// The upper half with the diagonal: row by row.
    private let cells: [[Cell]]

    subscript(row: Int, column: Int) -> Cell { cells[min(row, column)][max(row, column)] }

    var longest: Interval { cells.joined().map(\.time).max() ?? .zero }

    init(
        _ totals: PairTotals, boards: [ArchivedBoard], names: BoardNames, labels: Labels,
        byGroup: Bool, smallestGroup: Int = 1
    ) {
        let everybody = Set(totals.sums.keys.flatMap { [$0.first, $0.second] })
        let met = boards.filter { everybody.contains($0.identity) }
        let others = everybody.subtracting(boards.map(\.identity))
        let all = met.map(\.identity) + others.sorted { names[$0] < names[$1] }
        let hasGroups = all.contains { labels[$0].group != nil }
        isOfGroups = byGroup || hasGroups && all.count > Self.maximumBoardCount
        var rows =
            isOfGroups
            ? Self.groups(all, labels, smallest: smallestGroup)
            : all.map { (name: names[$0], boards: [$0]) }
        if rows.count > Self.maximumRowCount {
            let degrees = totals.degrees()
            func time(_ row: (name: String, boards: [LogIdentity])) -> Interval {
                row.boards.reduce(.zero) { $0 + (degrees[$1]?.time ?? .zero) }
            }
            let places = rows.indices.sorted { (time(rows[$1]), $0) < (time(rows[$0]), $1) }
            let kept = Set(places.prefix(Self.maximumRowCount))
            let rest = rows.indices.filter { !kept.contains($0) }
            let others = (name: "\(rest.count) others", boards: rest.flatMap { rows[$0].boards })
            rows = rows.indices.filter(kept.contains).map { rows[$0] } + [others]
        }
        var places: [LogIdentity: Int] = [:]
        for (place, row) in rows.enumerated() { for board in row.boards { places[board] = place } }
        var cells = [[Cell]](
            repeating: [Cell](repeating: Cell(), count: rows.count), count: rows.count)
        for (pair, sum) in totals.sums {
            guard let one = places[pair.first], let other = places[pair.second] else { continue }
            let (row, column) = (min(one, other), max(one, other))
            cells[row][column].time = cells[row][column].time + sum.time
            cells[row][column].contactCount += sum.contactCount
        }
        self.names = rows.map(\.name)
        sizes = rows.map(\.boards.count)
        self.cells = cells
    }

    /// Groups by name; boards without a group, and groups with fewer boards than `smallest`, come last.
    private static func groups(
        _ boards: [LogIdentity], _ labels: Labels, smallest: Int
    ) -> [(name: String, boards: [LogIdentity])] {
        let byGroup = Dictionary(grouping: boards) { labels[$0].group }
        let named = byGroup.compactMap { group, boards in group.map { (name: $0, boards: boards) } }
            .sorted { $0.name < $1.name }
        let large = named.filter { $0.boards.count >= smallest }
        var small = named.filter { $0.boards.count < smallest }.flatMap(\.boards)
        var loose = byGroup[nil] ?? []
        if loose.count < smallest {
            small += loose
            loose = []
        }
        let rest = [("no group", loose), ("small groups", small)]
            .filter { !$0.1.isEmpty && $0.1.count >= smallest }
        return large + rest.map { (name: $0.0, boards: $0.1) }
    }
}
