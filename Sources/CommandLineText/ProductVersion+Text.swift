import ProductVersion

extension ProductVersion {
    /// The version in a report or after a program's name, such as 0.3.0.
    public static var text: String { "\(major).\(minor).\(patch)" }
}
