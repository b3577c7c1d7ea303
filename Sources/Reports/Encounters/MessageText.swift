import Archive
import EncounterLog
import LogContents

/// A message's content in one line without control characters.
public enum MessageText {
    public static func line(_ message: ReceivedMessage) -> String {
        switch message.content {
        case .immediate(let bytes): return plain(bytes).map { "\"\($0)\"" } ?? bytes.hexadecimal
        case .sharedPayloads(let bytes, let rssiDBm):
            let strength = rssiDBm.map { " at \($0) dBm" } ?? ""
            guard let payloads = message.sharedPayloads else {
                return "shares \(bytes.hexadecimal)\(strength)"
            }
            let labels = payloads.map { Identity(scheme: SchemeCode(.herald), payload: $0).label }
            return "shares \(labels.isEmpty ? "no payload" : labels.joined(separator: ", "))\(strength)"
        }
    }

    /// Nil if the bytes are not text that can be displayed unchanged.
    static func plain(_ bytes: [UInt8]) -> String? {
        guard let text = String(validating: bytes, as: UTF8.self), !text.isEmpty else { return nil }
        return OneLineText.isPlain(text) ? text : nil
    }
}
