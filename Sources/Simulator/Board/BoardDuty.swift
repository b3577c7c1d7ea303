/// The values of `radio.duty` whose scan timing is not the board's own.
public enum BoardDuty: String, CaseIterable, Sendable, Codable {
    case continuous, balanced, saver

    /// The setting of the board, as on the command line.
    public var setting: String { "radio.duty=\(rawValue)" }
}
