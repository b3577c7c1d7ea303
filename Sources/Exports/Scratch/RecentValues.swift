/// The values of the keys that were used last. Contacts come in order of time, so that nearly all of them are
/// of participants that an export has just read from its temporary file.
struct RecentValues<Key: Hashable, Value> {
    private let limit: Int
    private var newer: [Key: Value] = [:]
    private var older: [Key: Value] = [:]

    /// - Parameter limit: the smallest number of keys that stay; up to twice as many do.
    init(limit: Int = 8192) { self.limit = limit }

    /// - Parameter read: gets the value of a key that was not used of late.
    mutating func value<Failure: Error>(
        of key: Key, _ read: () throws(Failure) -> Value
    ) throws(Failure) -> Value {
        if let value = newer[key] { return value }
        let value = if let kept = older[key] { kept } else { try read() }
        if newer.count == limit {
            older = newer
            newer = Dictionary(minimumCapacity: limit)
        }
        newer[key] = value
        return value
    }
}
