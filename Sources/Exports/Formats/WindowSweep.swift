import TextFormats

/// Goes through time in windows of equal length, and names the pairs that are in contact in each.
struct WindowSweep {
    struct Line {
        /// Ends at this multiple of the windows' length since 1970.
        let window: Int64
        let first: Int
        let second: Int
    }

    private let length: Int64
    /// The last window of each pair that is in contact.
    private var active: [PairTable.Pair: Int64] = [:]
    /// The next window whose lines are due.
    private var window = Int64.min

    init(windowMilliseconds: Int64) { length = windowMilliseconds }

    /// - Parameters:
    ///   - contact: begins no earlier than those before it.
    ///   - body: says whether the next line is wanted.
    /// - Returns: false if no further line is wanted.
    mutating func add<Failure: Error>(
        _ contact: NetworkContact, _ body: (Line) throws(Failure) -> Bool
    ) throws(Failure) -> Bool {
        let first = number(of: contact.start)
        guard try pass(to: first, body) else { return false }
        active[contact.pair] = max(active[contact.pair] ?? .min, number(of: contact.end), first)
        return true
    }

    mutating func finish<Failure: Error>(_ body: (Line) throws(Failure) -> Bool) throws(Failure) -> Bool {
        try pass(to: .max, body)
    }

    /// The number of the window that has this time: the next multiple of the length, or the time itself.
    private func number(of milliseconds: Int64) -> Int64 {
        CivilTime.floor(milliseconds.addingClamped(length - 1), by: length)
    }

    private mutating func pass<Failure: Error>(
        to end: Int64, _ body: (Line) throws(Failure) -> Bool
    ) throws(Failure) -> Bool {
        while window < end, !active.isEmpty {
            for pair in active.keys.sorted() {
                guard try body(Line(window: window, first: pair.first, second: pair.second)) else {
                    return false
                }
            }
            active = active.filter { $0.value > window }
            window += 1
        }
        window = max(window, end)
        return true
    }
}
