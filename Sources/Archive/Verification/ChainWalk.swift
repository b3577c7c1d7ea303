import EncounterLog

/// Follows the chain through a log's pages, oldest first.
///
/// Each page says what the chain's value was before it. Most often that is the value behind the page before. It is the value
/// further back where the board was told that a write had failed, or could not read its own end at a start: it went on from
/// what it knew, and the pages between are aside. Whatever fits nowhere breaks the chain, or is out of place.
struct ChainWalk {
    enum Role: Sendable {
        /// In the chain.
        case chained
        /// Written, and the board went on from before it: what it holds stands again elsewhere, or was read by nobody.
        case aside
        /// The chain goes on around it: it was never written here.
        case outOfPlace
        /// No page, or one that is not linked.
        case none
    }

    /// Between two pages of the chain something is missing that the board has written.
    struct Break: Sendable, Equatable {
        /// Places in the list; nil before the first page.
        var before: Int?
        var after: Int
    }

    private(set) var roles: [Role]
    private(set) var breaks: [Break] = []

    private let records: [PageRecord]
    private var lastUse: [ChainValue: Int] = [:]
    private var places: [ChainValue: Int] = [:]
    private let signed: Set<ChainValue>

    /// - Parameter signed: values that the board has signed as its chain's.
    init(_ records: [PageRecord], signed: Set<ChainValue> = []) {
        self.records = records
        self.signed = signed
        roles = Array(repeating: .none, count: records.count)
        let linked = records.indices.filter { records[$0].isLinked }
        for index in linked {
            if let link = link(index) { lastUse[link] = index }
            if let value = value(index) { places[value] = index }
        }
        var tip: Int?
        for index in linked {
            tip = tip.map { place(index, behind: $0, isLast: index == linked.last) } ?? begin(index)
        }
    }

    private mutating func begin(_ index: Int) -> Int {
        roles[index] = .chained
        // A log's first page has nothing before it; of any other it is not known here.
        if records[index].position.segmentOrdinal == 0, link(index) != .start {
            breaks.append(Break(before: nil, after: index))
        }
        return index
    }

    /// Gives a page its role, and returns the chain's last page from then on.
    private mutating func place(_ index: Int, behind tip: Int, isLast: Bool) -> Int {
        if link(index) == value(tip) {
            roles[index] = .chained
            return index
        }
        if goesOn(tip, after: index) {
            roles[index] = .outOfPlace
            return tip
        }
        if let restart = restart(of: index, behind: tip) {
            let isEnd = isLast && !isSigned(tip)
            guard isEnd || goesOn(index, after: index) || records[index].opening != nil else {
                roles[index] = .outOfPlace
                return tip
            }
            for place in restart...tip where roles[place] == .chained { roles[place] = .aside }
            roles[index] = .chained
            return index
        }
        guard isLast || goesOn(index, after: index) || mayStandAlone(index) else {
            roles[index] = .outOfPlace
            return tip
        }
        breaks.append(Break(before: tip, after: index))
        roles[index] = .chained
        return index
    }

    /// Where the pages begin that are aside, if the page goes on from before them.
    private func restart(of index: Int, behind tip: Int) -> Int? {
        guard let link = link(index) else { return nil }
        if link == self.link(tip) { return tip }
        guard let parent = places[link], parent < tip, roles[parent] == .chained,
            !breaks.contains(where: { $0.after > parent })
        else { return nil }
        return parent + 1
    }

    /// Whether a page behind `index` says that it follows this one.
    private func goesOn(_ page: Int, after index: Int) -> Bool {
        value(page).map { (lastUse[$0] ?? -1) > index } ?? false
    }

    private func isSigned(_ page: Int) -> Bool { value(page).map(signed.contains) ?? false }

    /// Nothing refers to the page, and yet it may be where it was written: what followed is damaged, or the opening key
    /// says so.
    private func mayStandAlone(_ index: Int) -> Bool {
        let next = index + 1
        return records[index].isGenuine || (next < records.count && records[next].fault != nil)
    }

    private func link(_ index: Int) -> ChainValue? { records[index].link.map { ChainValue($0.chainValue) } }

    private func value(_ index: Int) -> ChainValue? { records[index].head.map { ChainValue($0.chainValue) } }
}
