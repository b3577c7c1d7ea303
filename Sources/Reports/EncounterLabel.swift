import Archive

extension Encounter {
    /// How lists call whom it was with: one line.
    public var label: String { identity?.label ?? addresses.first.map { "unknown \($0.text)" } ?? "unknown" }
}
