import BoardLink
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
    /// The board's configuration with the settings.
    private let effective: EffectiveConfiguration

    /// - Parameters:
    ///   - listing: the configuration of the board that was backed up.
    ///   - present: the board which takes its place.
    /// - Throws: if the board cannot have the settings.
    init(_ listing: [UInt8], over present: PresentBoard) throws(Failure) {
        var old = EffectiveConfiguration()
        do throws(ConfigurationError) { try old.read(listing.span) } catch {
            throw Failure(.data, "this tabardctl cannot read the configuration in the backup: \(error.line)")
        }
        for key in ConfigurationKey.every {
            let value = Self.text(of: key, in: old)
            guard value != Self.text(of: key, in: present.configuration) else { continue }
            let name = "\(key.section.name).\(key.name)"
            guard key.canBeSetOverCable else {
                leftKeys.append(name)
                continue
            }
            guard let value else {
                throw Self.refusal("it has no \(name), and nobody can remove that over the cable")
            }
            guard !present.fixedKeys.contains(name) else {
                throw Self.refusal("the agent has \(name) on its command line, which overrides the cable")
            }
            assignments.append("\(name)=\(value)")
        }
        effective = try Self.effective(assignments, over: present.configuration)
    }

    private static func effective(
        _ assignments: [String], over present: EffectiveConfiguration
    ) throws(Failure) -> EffectiveConfiguration {
        var effective = present
        do throws(ConfigurationError) {
            for assignment in assignments { try effective.apply(Array(assignment.utf8).span, from: .cable) }
            try effective.validate()
        } catch {
            throw refusal(error.line)
        }
        guard BoardClient.canConfigure(assignments) else {
            throw refusal("they are more than a board takes at once; set the longest with `tabardctl config`")
        }
        return effective
    }

    private static func refusal(_ reason: String) -> Failure {
        Failure(.data, "the board cannot have the settings of the backup: \(reason)")
    }

    /// The board's new use, for its operator.
    var summary: String {
        let values = effective.values
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
