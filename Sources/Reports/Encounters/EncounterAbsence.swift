/// Why a list is empty although the archive has encounters: the options leave nothing of them.
public enum EncounterAbsence {
    /// "none of 99 encounters is what these options ask for: since 2030-01-01"
    public static func text(count: Int, options: [String]) -> String {
        "none of \(count) \(count == 1 ? "encounter" : "encounters") is what these options ask for: "
            + options.joined(separator: ", ")
    }
}
