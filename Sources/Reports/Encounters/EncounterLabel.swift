import Archive
import EncounterLog

extension Encounter {
    /// How lists call whom it was with: one line.
    public var label: String { identity?.label ?? addresses.first.map { "unknown \($0.text)" } ?? "unknown" }
}

extension IdentityMarks {
    /// As exports name them.
    public var names: [String] {
        (contains(.written) ? ["written"] : []) + (contains(.timeUnchecked) ? ["time-unchecked"] : [])
    }

    /// Behind a label in lists.
    public var remark: String { names.isEmpty ? "" : " (\(names.joined(separator: ", ")))" }
}
