import Archive
import CommandLineText
import Reports

/// The reason of an empty list: nothing is recorded, or the options leave nothing of it.
struct AbsenceText {
    let one: String
    let many: String
    /// The advice if nothing is recorded, with a leading semicolon; empty without advice.
    let remedy: String

    static let encounters = AbsenceText(
        one: "encounter", many: "encounters", remedy: "; fetch new data with `tabardctl sync`")
    static let contacts = AbsenceText(
        one: "contact", many: "contacts between boards",
        remedy: "; fetch each of them with `tabardctl sync`")
    static let messages = AbsenceText(
        one: "message", many: "messages", remedy: "; fetch new data with `tabardctl sync`")
    static let markers = AbsenceText(
        one: "marker", many: "markers", remedy: "; fetch new data with `tabardctl sync`")
    static let refusals = AbsenceText(
        one: "refused identity", many: "refused identities", remedy: "")

    /// - Parameters:
    ///   - count: the number in the whole archive.
    ///   - options: those that leave nothing of it.
    func text(of count: Int, _ options: [String]) -> String {
        guard count > 0, !options.isEmpty else { return "no \(many)\(remedy)" }
        return OptionsLeaveNothing.text(count: count, of: one, many, options: options)
    }
}
