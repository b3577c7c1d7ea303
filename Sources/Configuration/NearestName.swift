import FixedMemory

extension ConfigurationSection {
    /// Returns the section that the user probably meant.
    static func nearest(to name: Span<UInt8>) -> ConfigurationSection? {
        var best: ConfigurationSection?
        var bestDistance = Int.max
        var sections = all
        while let section = sections.next() {
            let distance = likelyDistance(from: name, to: section.name)
            if let distance, distance < bestDistance {
                best = section
                bestDistance = distance
            }
        }
        return best
    }
}

extension ConfigurationKey {
    /// Returns the key that the user probably meant; of two equally near ones, the one in `section`.
    static func nearest(to name: Span<UInt8>, in section: ConfigurationSection) -> ConfigurationKey? {
        var best: ConfigurationKey?
        var bestDistance = Int.max
        var keys = all
        while let key = keys.next() {
            guard var distance = likelyDistance(from: name, to: key.name) else { continue }
            distance = 2 * distance + (key.section == section ? 0 : 1)
            if distance < bestDistance {
                best = key
                bestDistance = distance
            }
        }
        return best
    }
}

/// Returns the number of letters to insert, delete, replace or swap with a neighbour to turn `name` into
/// `known`. Nil if the number is too large for a typing mistake. A name that only lacks its unit has distance
/// one.
private func likelyDistance(from name: Span<UInt8>, to known: StaticString) -> Int? {
    let knownCount = known.utf8CodeUnitCount
    guard !name.isEmpty, name.count <= 40, knownCount <= 40 else { return nil }
    if name.count < knownCount, known.utf8Start[name.count] == UInt8(ascii: "_") {
        var isPrefix = true
        for index in name.indices where name[index] != known.utf8Start[index] { isPrefix = false }
        if isPrefix { return 1 }
    }
    let distance = editDistance(name, known)
    return distance <= max(1, name.count / 3) ? distance : nil
}

/// Returns the optimal string alignment distance of two names of up to 40 bytes, computed row by row.
private func editDistance(_ name: Span<UInt8>, _ known: StaticString) -> Int {
    let knownCount = known.utf8CodeUnitCount
    var beforePrevious = InlineArray<41, Int>(repeating: 0)
    var previous = InlineArray<41, Int>(repeating: 0)
    var current = InlineArray<41, Int>(repeating: 0)
    for column in 0...knownCount { previous[column] = column }
    for row in 1...name.count {
        current[0] = row
        for column in 1...knownCount {
            let isSame = name[row - 1] == known.utf8Start[column - 1]
            let replaced = previous[column - 1] + (isSame ? 0 : 1)
            var distance = min(min(previous[column], current[column - 1]) + 1, replaced)
            if row > 1, column > 1, name[row - 1] == known.utf8Start[column - 2],
                name[row - 2] == known.utf8Start[column - 1]
            {
                distance = min(distance, beforePrevious[column - 2] + 1)
            }
            current[column] = distance
        }
        beforePrevious = previous
        previous = current
    }
    return previous[knownCount]
}
