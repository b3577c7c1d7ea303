import Archive

/// A node of the exported network: a board, or a person who carries another device.
public struct Participant: Sendable, Equatable {
    public enum Kind: String, Sendable {
        case beacon, wearable
        /// A board that never reported its role.
        case board
        /// A device other than the archive's boards.
        case stranger
    }

    /// Unique within the export: a name, a pseudonym, or hexadecimal digits.
    public let id: String
    public let kind: Kind
    /// The name and the attributes that this export may show.
    public let label: Label
    /// The model of the device, which decides what a signal says about distance; no table shows it.
    let model: String?
}
