import Archive
import EncounterLog

extension EncounterSummary {
    /// A one-line label of the peer for lists.
    public var label: String { identity?.label ?? addresses.first.map { "unknown \($0.text)" } ?? "unknown" }
}

extension EncounterSummary {
    /// Reservations about the encounter, as a remark after its label in lists.
    public var remark: String {
        let names = identityMarks.names + (isClaimed ? ["claimed"] : [])
        return names.isEmpty ? "" : " (\(names.joined(separator: ", ")))"
    }
}

extension IdentityMarks {
    /// The names of the marks in exports.
    public var names: [String] {
        (contains(.written) ? ["written"] : []) + (contains(.timeUnchecked) ? ["time-unchecked"] : [])
    }

    /// The marks as a remark after a label in lists.
    public var remark: String { names.isEmpty ? "" : " (\(names.joined(separator: ", ")))" }
}
