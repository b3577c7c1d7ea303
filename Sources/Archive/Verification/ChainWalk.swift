import EncounterLog

/// Follows the hash chain through a log's pages, oldest first.
///
/// Each page contains the chain value before it, normally the value after the previous page. After a failed
/// write, or if the board could not read the log's end at boot, it continues from an earlier value. The pages
/// in between are then set aside. A page that fits no known value breaks the chain, or is out of place.
struct ChainWalk {
    enum Role: Sendable {
        /// The page is part of the chain.
        case chained
        /// The board wrote the page, but continued from before it. Its entries occur again elsewhere, or the
        /// board never read them.
        case aside
        /// The chain continues around the page, so the board never wrote it here.
        case outOfPlace
        /// The place holds no page, or a page without a link.
        case none
    }

    /// Pages that the board wrote are missing between two pages of the chain.
    struct Break: Sendable, Equatable {
        /// Indices into the list of pages; nil before the first page.
        var before: Int?
        var after: Int
    }

    private(set) var roles: [Role]
    private(set) var breaks: [Break] = []

    private let records: [PageRecord]
    private var lastUse: [ChainValue: Int] = [:]
    private var places: [ChainValue: Int] = [:]
    private let signed: Set<ChainValue>

    /// - Parameter signed: chain values that the board has signed.
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
            tip = tip.map { place(index, after: $0, isLast: index == linked.last) } ?? begin(index)
        }
    }

    private mutating func begin(_ index: Int) -> Int {
        roles[index] = .chained
        // The first page of a log has no predecessor. The predecessor of any other first stored page is
        // unknown.
        if records[index].position.segmentOrdinal == 0, link(index) != .start {
            breaks.append(Break(before: nil, after: index))
        }
        return index
    }

    /// Assigns a role to a page, and returns the index of the chain's last page afterwards.
    private mutating func place(_ index: Int, after tip: Int, isLast: Bool) -> Int {
        if link(index) == value(tip) {
            roles[index] = .chained
            return index
        }
        if goesOn(tip, after: index) {
            roles[index] = .outOfPlace
            return tip
        }
        if let restart = restart(of: index, after: tip) {
            let isEnd = isLast && !isSigned(tip)
            guard isEnd || goesOn(index, after: index) || records[index].segmentHeader != nil else {
                roles[index] = .outOfPlace
                return tip
            }
            setAside(restart...tip, before: index)
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

    /// A break before pages that are set aside is one before the page that continues around them: nothing
    /// joins that page to what is before the break.
    private mutating func setAside(_ places: ClosedRange<Int>, before index: Int) {
        for place in places where roles[place] == .chained { roles[place] = .aside }
        for number in breaks.indices where places.contains(breaks[number].after) {
            breaks[number].after = index
        }
    }

    /// The index of the first page that is set aside, if this page continues from an earlier chain value.
    private func restart(of index: Int, after tip: Int) -> Int? {
        guard let link = link(index) else { return nil }
        if link == self.link(tip) { return tip }
        guard let parent = places[link], parent < tip, roles[parent] == .chained,
            !breaks.contains(where: { $0.after > parent })
        else { return nil }
        return parent + 1
    }

    /// True if a page after `index` continues from this page.
    private func goesOn(_ page: Int, after index: Int) -> Bool {
        value(page).map { (lastUse[$0] ?? -1) > index } ?? false
    }

    private func isSigned(_ page: Int) -> Bool { value(page).map(signed.contains) ?? false }

    /// True if the page may be genuine although no page continues from it: the next page is damaged, or its
    /// seal is valid.
    private func mayStandAlone(_ index: Int) -> Bool {
        let next = index + 1
        return records[index].isGenuine || (next < records.count && records[next].fault != nil)
    }

    private func link(_ index: Int) -> ChainValue? { records[index].link.map { ChainValue($0.chainValue) } }

    private func value(_ index: Int) -> ChainValue? { records[index].head.map { ChainValue($0.chainValue) } }
}
