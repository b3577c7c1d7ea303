import LogContents

/// The operator's description of a board or a person: a name, and attributes by which a study groups people.
/// No log contains it.
public struct Label: Sendable, Hashable {
    public var name: String?
    /// A class, a ward, a household.
    public var group: String?
    public var ageYears: Int?
    /// The operator's own word or letter.
    public var sex: String?
    /// The model of the device, as walk tests name it.
    public var model: String?

    public static let ages = 0...130
    /// The longest name, group or sex, in characters.
    public static let longestText = 100
    /// In bytes, as in calibrations.
    public static let longestModelBytes = 64

    public init(
        name: String? = nil, group: String? = nil, ageYears: Int? = nil, sex: String? = nil,
        model: String? = nil
    ) {
        self.name = name
        self.group = group
        self.ageYears = ageYears
        self.sex = sex
        self.model = model
    }

    public var isEmpty: Bool { self == Label() }

    /// Whether all texts are single lines of bounded length, and the age is one of people.
    public var isValid: Bool {
        let texts = [name, group, sex, model].compactMap(\.self)
        return texts.allSatisfy { !$0.isEmpty && $0.count <= Self.longestText && OneLineText.isPlain($0) }
            && ageYears.map(Self.ages.contains) ?? true
            && model.map { $0.utf8.count <= Self.longestModelBytes } ?? true
    }

    /// This label, with everything that `other` says in place of what this one says.
    public func merged(with other: Label) -> Label {
        Label(
            name: other.name ?? name, group: other.group ?? group, ageYears: other.ageYears ?? ageYears,
            sex: other.sex ?? sex, model: other.model ?? model)
    }
}
