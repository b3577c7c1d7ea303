/// A number with its noun, in the singular or the plural.
public enum Count {
    /// "1 segment", "2 segments".
    ///
    /// - Parameter many: the plural; nil: the singular with an s.
    public static func text(_ count: some BinaryInteger, _ one: String, _ many: String? = nil) -> String {
        "\(count) \(count == 1 ? one : many ?? one + "s")"
    }
}
