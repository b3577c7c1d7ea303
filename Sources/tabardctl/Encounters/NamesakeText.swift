/// Boards of one payload, for people.
enum NamesakeText {
    static let remedy = "give each board its own herald.location or keys"

    /// `duplicateIdentities`: those that have served a board's payload while it did, as they are called.
    static func text(_ duplicateIdentities: [String]) -> String? {
        guard !duplicateIdentities.isEmpty else { return nil }
        return
            "warning: \(duplicateIdentities.joined(separator: " and ")) used the same identity at the same time, "
            + "and phones took "
            + "both for one device; \(remedy)"
    }
}
