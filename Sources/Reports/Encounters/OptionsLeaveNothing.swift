/// Why a list is empty although the archive has something to list: the options leave nothing of it.
public enum OptionsLeaveNothing {
    /// "none of 99 encounters is what these options ask for: since 2030-01-01"
    public static func text(
        count: Int, of one: String = "encounter", _ many: String = "encounters", options: [String]
    ) -> String {
        "none of \(count) \(count == 1 ? one : many) is what these options ask for: "
            + options.joined(separator: ", ")
    }
}
