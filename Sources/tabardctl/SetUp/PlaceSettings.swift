import CommandLineText
import Configuration
import FixedMemory

/// The settings that make a board a beacon of a place, or somebody's wearable.
struct PlaceSettings {
    let role: BoardRole
    /// The name in the archive; nil for none.
    var boardName: String?
    private(set) var values: [(key: ConfigurationKey, text: String)] = []
    /// Further assignments, `section.key=value`.
    var others: [String] = []

    init(role: BoardRole) { self.role = role }

    /// Adds a value, if there is one, in place of an earlier one.
    mutating func add(_ key: ConfigurationKey, _ text: String?) {
        guard let text else { return }
        values.removeAll { $0.key == key }
        values.append((key, text))
    }

    func text(of key: ConfigurationKey) -> String? { values.first { $0.key == key }?.text }

    /// The assignments that a board takes over the cable.
    var assignments: [String] {
        ["agent.role=\(role.rawValue)"]
            + values.map { ConfigurationText.assignment(of: $0.key, $0.text) } + others
    }

    /// Checks the assignments by the rules of the board, and that a beacon knows what it stands for.
    ///
    /// - Parameter present: the board's present configuration; nil if it is not known.
    func check(over present: EffectiveConfiguration? = nil) throws(Failure) {
        _ = try effective(over: present)
    }

    /// The configuration with these settings, checked as ``check(over:)`` does.
    func effective(over present: EffectiveConfiguration? = nil) throws(Failure) -> EffectiveConfiguration {
        var effective = present ?? EffectiveConfiguration()
        do throws(ConfigurationError) {
            let name = boardName.map { [ConfigurationText.assignment(of: .boardName, $0)] } ?? []
            for assignment in assignments + name {
                try effective.apply(Array(assignment.utf8).span, from: .cable)
            }
        } catch {
            throw Failure(.usage, error.line)
        }
        guard effective.values.isSetUp else {
            throw Failure(
                .usage, "a beacon needs --venue-number, or --set herald.client_id= for one without a venue")
        }
        // Without a port to set it up through, a board may not leave its place open. This one has a port.
        do throws(ConfigurationError) { try effective.validate() } catch {
            throw Failure(.usage, error.line)
        }
        return effective
    }

    /// The board's new use, for its operator.
    var summary: String {
        guard role == .beacon else { return "a wearable" + (boardName.map { " named \($0)" } ?? "") }
        guard let number = text(of: .location) else { return "a beacon without a venue" }
        return Self.beaconText(
            "\(text(of: .country) ?? "826")/\(text(of: .state) ?? "0")/\(number)",
            names: [text(of: .name), text(of: .area)].compactMap(\.self))
    }

    /// - Parameters:
    ///   - place: country, state and venue number: "826/4/123456".
    ///   - names: of the venue and its area; empty ones are left out.
    static func beaconText(_ place: String, names: [String]) -> String {
        (["the beacon of venue \(place)"] + names.filter { !$0.isEmpty }).joined(separator: ", ")
    }
}
