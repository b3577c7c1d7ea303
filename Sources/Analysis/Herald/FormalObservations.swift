/// The contacts of one device of a formal test, gathered from its `contacts.csv` row by row.
///
/// Only measurements and shares count. A measurement counts for a payload read from the same device, even if
/// that was read later. Therefore all times are kept, in whole seconds, each once.
public struct FormalObservations: Sendable {
    public private(set) var rowCount = 0
    /// The time of the first row of any kind; nil without rows.
    public private(set) var firstSecond: Int64?
    public private(set) var lastSecond: Int64?

    private var indexOfDevice: [ArraySlice<UInt8>: Int] = [:]
    private var heard: [HeardDevice] = []
    /// Times of shares, by the short name that was shared.
    private var shared: [String: [Int64]] = [:]

    public init() {}

    public mutating func append(_ row: ContactsRow) {
        rowCount += 1
        firstSecond = min(firstSecond ?? row.seconds, row.seconds)
        lastSecond = max(lastSecond ?? row.seconds, row.seconds)
        switch row.event {
        case .measure: heard[index(of: row.device)].append(row.seconds)
        case .read: heard[index(of: row.device)].count(shortName: FormalDevice.shortName(row.data))
        case .share: shared[String(decoding: row.data, as: UTF8.self), default: []].append(row.seconds)
        case .detect, .visit, .detectHerald, .delete: break
        }
    }

    /// Times at which the device with this short name was measured.
    func measurements(of shortName: String) -> [Int64] {
        // An empty name must not match every device without a name.
        guard !shortName.isEmpty else { return [] }
        return heard.filter { $0.shortNames.contains(shortName) }.flatMap(\.seconds)
    }

    /// Times at which other devices shared this short name. Herald counts them only if its payload was read
    /// at least once.
    func shares(of shortName: String) -> [Int64] {
        guard !shortName.isEmpty else { return [] }
        return heard.contains { $0.shortNames.contains(shortName) } ? shared[shortName, default: []] : []
    }

    private mutating func index(of device: ArraySlice<UInt8>) -> Int {
        if let index = indexOfDevice[device] { return index }
        // A copy, because the slice would keep the reader's memory alive.
        indexOfDevice[ArraySlice([UInt8](device))] = heard.count
        heard.append(HeardDevice())
        return heard.count - 1
    }
}

private struct HeardDevice {
    var shortNames: [String] = []
    var seconds: [Int64] = []

    mutating func append(_ second: Int64) {
        if seconds.last != second { seconds.append(second) }
    }

    mutating func count(shortName: String) {
        if !shortNames.contains(shortName) { shortNames.append(shortName) }
    }
}
