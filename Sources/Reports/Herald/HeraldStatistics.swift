/// How long it took from one event of a payload to its next, in seconds.
struct HeraldIntervals {
    private(set) var count = 0
    private(set) var mean = 0.0
    private(set) var minimum = Double.infinity
    private(set) var maximum = -Double.infinity
    /// Sum of squared distances from the mean (Welford).
    private var squares = 0.0
    private var lastMilliseconds: Int64?

    mutating func note(_ milliseconds: Int64) {
        defer { lastMilliseconds = milliseconds }
        guard let lastMilliseconds else { return }
        let seconds = Double(milliseconds - lastMilliseconds) / 1_000
        count += 1
        let distance = seconds - mean
        mean += distance / Double(count)
        squares += distance * (seconds - mean)
        minimum = min(minimum, seconds)
        maximum = max(maximum, seconds)
    }

    /// As Herald's: of a sample, so nil for fewer than two.
    var standardDeviation: Double? { count > 1 ? (squares / Double(count - 1)).squareRoot() : nil }

    /// count, mean, sd, min, max; nil for what Herald leaves out.
    var fields: [String]? {
        guard let standardDeviation else { return nil }
        return ["\(count)", "\(mean)", "\(standardDeviation)", "\(minimum)", "\(maximum)"]
    }
}

/// Which payloads were read, and how often they were heard of, by their short names.
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
                ofReads[name, default: HeraldIntervals()].note(row.milliseconds)
                ofAllEvents[name, default: HeraldIntervals()].note(row.milliseconds)
            case .measure:
                guard let name = nameOfDevice[row.device] else { continue }
                ofAllEvents[name, default: HeraldIntervals()].note(row.milliseconds)
            case .detect, .detectHerald, .share, .delete: continue
            }
        }
    }

    /// In order, without oneself.
    func names(besides own: String?) -> [String] { ofReads.keys.filter { $0 != own }.sorted() }
}
