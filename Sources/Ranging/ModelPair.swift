/// The models of a receiver and of the transmitter that it heard.
///
/// The order matters: receivers differ in how they report RSSI and transmitters in how much power they send.
public struct ModelPair: Sendable, Hashable, Comparable, CustomStringConvertible {
    public static let longestNameBytes = 64

    public let receiver: String
    public let transmitter: String

    /// - Returns: nil if a name is empty, longer than ``longestNameBytes`` or has control characters.
    public init?(receiver: String, transmitter: String) {
        guard Self.isName(receiver), Self.isName(transmitter) else { return nil }
        self.receiver = receiver
        self.transmitter = transmitter
    }

    public var description: String { "\(receiver) receiving from \(transmitter)" }

    public static func < (first: ModelPair, second: ModelPair) -> Bool {
        (first.receiver, first.transmitter) < (second.receiver, second.transmitter)
    }

    /// Whether a model or a session may have this name.
    public static func isName(_ text: String) -> Bool {
        (1...longestNameBytes).contains(text.utf8.count)
            && text.unicodeScalars.allSatisfy { $0.properties.generalCategory != .control }
    }
}
