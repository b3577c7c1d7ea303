import Archive

/// Hides attributes by which a person in a small group could be recognised: first the age, then the sex, then
/// the group, until at least a given number of people are alike.
struct SmallGroups {
    private var shown: [LabelSubject: Label]

    /// - Parameters:
    ///   - labels: of everybody who may be in the export.
    ///   - smallest: the number of people that must be alike.
    init(_ labels: [LabelSubject: Label], smallest: Int) {
        shown = labels.mapValues { Label(group: $0.group, ageYears: $0.ageYears, sex: $0.sex) }
        guard smallest > 1 else { return }
        for hide in Self.steps {
            let counts = shown.values.reduce(into: [:]) { $0[$1, default: 0] += 1 }
            shown = shown.mapValues { label in
                guard counts[label, default: 0] < smallest else { return label }
                var label = label
                hide(&label)
                return label
            }
        }
    }

    /// Group, age and sex, as far as they may be shown.
    subscript(subject: LabelSubject) -> Label { shown[subject] ?? Label() }

    private static let steps: [@Sendable (inout Label) -> Void] = [
        { $0.ageYears = nil }, { $0.sex = nil }, { $0.group = nil },
    ]
}
