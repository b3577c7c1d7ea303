/// A warning about boards with duplicate identities, for people.
enum DuplicateIdentityText {
    static let remedy = "give each board its own herald.location or keys"

    /// `duplicateIdentities`: the labels of boards that served the same payload at the same time.
    static func text(_ duplicateIdentities: [String]) -> String? {
        guard !duplicateIdentities.isEmpty else { return nil }
        return
            "warning: \(duplicateIdentities.joined(separator: " and ")) used the same identity at the same time, "
            + "and phones took "
            + "both for one device; \(remedy)"
    }
}
