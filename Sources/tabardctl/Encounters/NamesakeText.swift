/// Boards of one payload, for people.
enum NamesakeText {
    static let remedy = "give each board a herald.location or keys of its own"

    /// `namesakes`: those that have served a board's payload while it did, as they are called.
    static func text(_ namesakes: [String]) -> String? {
        guard !namesakes.isEmpty else { return nil }
        return
            "warning: \(namesakes.joined(separator: " and ")) served the same payload at the same time, and phones took "
            + "both for one; \(remedy)"
    }
}
