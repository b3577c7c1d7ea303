/// Counts the keys that are near now, and the keys that were near at any time of the present slot.
struct NearKeys {
    private var near: [String: Int] = [:]
    /// The keys that the slot has counted and that arrived in it, or departed.
    private var counted: Set<String> = []
    /// The number of keys that were near in this slot.
    private(set) var slotCount = 0

    /// The number of keys that are near.
    var count: Int { near.count }

    /// - Returns: whether the key was not near.
    @discardableResult
    mutating func arrive(_ key: String) -> Bool {
        near[key, default: 0] += 1
        guard near[key] == 1 else { return false }
        if counted.insert(key).inserted { slotCount += 1 }
        return true
    }

    /// - Returns: whether the key is no longer near.
    @discardableResult
    mutating func depart(_ key: String) -> Bool {
        guard let count = near[key] else { return false }
        guard count == 1 else {
            near[key] = count - 1
            return false
        }
        near[key] = nil
        // The slot has counted it, and does not do so again if it returns.
        counted.insert(key)
        return true
    }

    mutating func beginSlot() {
        counted = []
        slotCount = near.count
    }
}
