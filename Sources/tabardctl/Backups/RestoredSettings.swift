import CommandLineText
import Configuration
import FixedMemory
import LogContents

/// The settings of a backup that another board lacks.
struct RestoredSettings {
    /// `section.key=value`, as a board takes it over the cable.
    private(set) var assignments: [String] = []
    /// The keys whose values differ, and which a board does not take over the cable.
    private(set) var leftKeys: [String] = []
    private let configuration: EffectiveConfiguration

    /// - Parameters:
    ///   - listing: the configuration of the board that was backed up.
    ///   - present: that of the board which takes its place.
    /// - Throws: if the rules of the board forbid the settings.
    init(_ listing: [UInt8], over present: EffectiveConfiguration) throws(Failure) {
        var old = EffectiveConfiguration()
        do throws(ConfigurationError) { try old.read(listing.span) } catch {
            throw Failure(.data, "this tabardctl cannot read the configuration in the backup: \(error.line)")
        }
        configuration = old
        for key in ConfigurationKey.every where Self.text(of: key, in: old) != Self.text(of: key, in: present)
        {
            let name = "\(key.section.name).\(key.name)"
            if key.canBeSetOverCable, let value = Self.text(of: key, in: old) {
                assignments.append("\(name)=\(value)")
            } else {
                leftKeys.append(name)
            }
        }
        try check(over: present)
    }

    private func check(over present: EffectiveConfiguration) throws(Failure) {
        var effective = present
        do throws(ConfigurationError) {
            for assignment in assignments { try effective.apply(Array(assignment.utf8).span, from: .cable) }
            try effective.validate()
        } catch {
            throw Failure(.data, "the board cannot have the settings of the backup: \(error.line)")
        }
    }

    /// The board's new use, for its operator.
    var summary: String {
        let values = configuration.values
        guard values.agent.role == .beacon else { return "a wearable" }
        guard let venue = values.herald.location else { return "a beacon without a venue" }
        let name = OneLineText.text(
            String(decoding: [UInt8](copying: values.herald.name.span), as: UTF8.self))
        return PlaceSettings.beaconText(
            "\(values.herald.country)/\(values.herald.state)/\(venue)", names: [name])
    }

    /// The value as a file has it; nil if there is none.
    private static func text(
        of key: ConfigurationKey, in configuration: EffectiveConfiguration
    ) -> String? {
        var text = FixedBuffer<1024>()
        guard (try? configuration.writeValue(of: key, to: &text)) ?? false else { return nil }
        return String(decoding: [UInt8](copying: text.span), as: UTF8.self)
    }
}
