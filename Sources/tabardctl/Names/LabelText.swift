import Archive

/// A label as a line of text.
enum LabelText {
    static func text(_ label: Label) -> String {
        let parts = [
            label.name, label.group.map { "group \($0)" }, label.ageYears.map { "age \($0)" },
            label.sex.map { "sex \($0)" }, label.model.map { "model \($0)" },
        ].compactMap(\.self)
        return parts.isEmpty ? "no label" : parts.joined(separator: ", ")
    }
}
