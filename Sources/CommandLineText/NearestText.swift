/// The name that somebody who made a typing mistake probably meant.
public enum NearestText {
    /// - Returns: nil if no name is near enough.
    public static func nearest(to text: String, among names: [String]) -> String? {
        let typed = Array(text.lowercased())
        let limit = min(2, typed.count / 2)
        let near = names.map { (name: $0, distance: distance(typed, Array($0.lowercased()))) }
        return near.filter { $0.distance <= limit }.min { $0.distance < $1.distance }?.name
    }

    /// The number of letters to insert, delete or replace (Levenshtein's distance).
    private static func distance(_ one: [Character], _ other: [Character]) -> Int {
        var before = Array(0...other.count)
        for (row, letter) in one.enumerated() {
            var current = [row + 1]
            for column in other.indices {
                current.append(
                    min(
                        before[column + 1] + 1, current[column] + 1,
                        before[column] + (letter == other[column] ? 0 : 1)))
            }
            before = current
        }
        return before[other.count]
    }
}
