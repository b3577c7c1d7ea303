import Archive

/// Hides attributes by which a person in a small group could be recognised: first the age, then the sex, then
/// the group, until at least a given number of people are alike.
struct SmallGroups<Person: Hashable> {
    private var shown: [Person: Label]

    /// - Parameters:
    ///   - labels: of everybody in the export, also of those without any attribute.
    ///   - smallest: the number of people that must be alike.
    init(_ labels: [Person: Label], smallest: Int) {
        shown = labels.mapValues { Label(group: $0.group, ageYears: $0.ageYears, sex: $0.sex) }
        guard smallest > 1 else { return }
        for step in HiddenAttribute.allCases {
            let counts = shown.values.reduce(into: [:]) { $0[$1, default: 0] += 1 }
            shown = shown.mapValues { label in
                counts[label, default: 0] < smallest ? step.hidden(in: label) : label
            }
        }
    }

    /// Group, age and sex, as far as they may be shown.
    subscript(person: Person) -> Label { shown[person] ?? Label() }
}

/// The attributes in the order in which they are hidden.
private enum HiddenAttribute: CaseIterable {
    case age, sex, group

    func hidden(in label: Label) -> Label {
        var label = label
        switch self {
        case .age: label.ageYears = nil
        case .sex: label.sex = nil
        case .group: label.group = nil
        }
        return label
    }
}
