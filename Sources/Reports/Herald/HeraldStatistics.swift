import FixedMemory

/// Statistics of the intervals between consecutive events of a payload, in seconds.
struct HeraldIntervals {
    private(set) var count = 0
    private(set) var mean = 0.0
    private(set) var minimum = Double.infinity
    private(set) var maximum = -Double.infinity
    /// The sum of squared distances from the mean (Welford's algorithm).
    private var squares = 0.0
    private var last: WallClockTime?

    mutating func add(_ time: WallClockTime) {
        defer { last = time }
        guard let last else { return }
        let seconds = time.interval(since: last).fractionalSeconds
        count += 1
        let distance = seconds - mean
        mean += distance / Double(count)
        squares += distance * (seconds - mean)
        minimum = min(minimum, seconds)
        maximum = max(maximum, seconds)
    }

    /// The sample standard deviation, as in Herald; nil for fewer than two intervals.
    var standardDeviation: Double? { count > 1 ? (squares / Double(count - 1)).squareRoot() : nil }

    /// count, mean, sd, min, max; nil if Herald would omit the line.
    var fields: [String]? {
        guard let standardDeviation else { return nil }
        return ["\(count)", "\(mean)", "\(standardDeviation)", "\(minimum)", "\(maximum)"]
    }
}

/// The payloads that were read, and the intervals of their events, by short name.
struct HeraldStatistics {
    private(set) var ofAllEvents: [String: HeraldIntervals] = [:]
    private(set) var ofReads: [String: HeraldIntervals] = [:]

    init(_ log: HeraldLog) {
        var nameOfDevice = [String?](repeating: nil, count: log.devices.count)
        for row in log.rows {
            switch row.content {
            case .read(let payload):
                let name = log.payloads[payload].name
                nameOfDevice[row.device] = name
                ofReads[name, default: HeraldIntervals()].add(row.time)
                ofAllEvents[name, default: HeraldIntervals()].add(row.time)
            case .measure:
                guard let name = nameOfDevice[row.device] else { continue }
                ofAllEvents[name, default: HeraldIntervals()].add(row.time)
            case .detect, .detectHerald, .share, .delete: continue
            }
        }
    }

    /// The names in order, without the board's own.
    func names(besides own: String?) -> [String] { ofReads.keys.filter { $0 != own }.sorted() }
}
