/// What one device of a formal test heard, gathered from its `contacts.csv` row by row.
///
/// Only measurements and shares count, and a measurement counts for the payload that was ever read from its device,
/// be it later: so all times are kept, in whole seconds, each once.
public struct FormalObservations: Sendable {
    public private(set) var rowCount = 0
    /// Of rows of any kind; nil when there is none.
    public private(set) var firstSecond: Int64?
    public private(set) var lastSecond: Int64?

    private var indexOfDevice: [ArraySlice<UInt8>: Int] = [:]
    private var heard: [HeardDevice] = []
    /// By the short name that was shared.
    private var shared: [String: [Int64]] = [:]

    public init() {}

    public mutating func append(_ row: ContactsRow) {
        rowCount += 1
        firstSecond = min(firstSecond ?? row.seconds, row.seconds)
        lastSecond = max(lastSecond ?? row.seconds, row.seconds)
        switch row.event {
        case .measure: heard[index(of: row.device)].append(row.seconds)
        case .read: heard[index(of: row.device)].note(shortName: FormalDevice.shortName(row.data))
        case .share: shared[String(decoding: row.data, as: UTF8.self), default: []].append(row.seconds)
        case .detect, .visit, .detectHerald, .delete: break
        }
    }

    /// Times at which the device with this short name was measured.
    func measurements(of shortName: String) -> [Int64] {
        // No name is not everybody's name.
        guard !shortName.isEmpty else { return [] }
        return heard.filter { $0.shortNames.contains(shortName) }.flatMap(\.seconds)
    }

    /// Times at which others told of it. Herald counts them only where its payload was read at least once.
    func shares(of shortName: String) -> [Int64] {
        guard !shortName.isEmpty else { return [] }
        return heard.contains { $0.shortNames.contains(shortName) } ? shared[shortName, default: []] : []
    }

    private mutating func index(of device: ArraySlice<UInt8>) -> Int {
        if let index = indexOfDevice[device] { return index }
        // Its own memory: the slice would keep the reader's.
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

    mutating func note(shortName: String) {
        if !shortNames.contains(shortName) { shortNames.append(shortName) }
    }
}
