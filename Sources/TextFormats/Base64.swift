import Foundation

/// Base64 (RFC 4648, 4) with padding.
public enum Base64 {
    public static func text(_ bytes: [UInt8]) -> String { Data(bytes).base64EncodedString() }

    /// Encodes like Android's encoder: in lines of 76 characters, each with a line end.
    public static func wrappedText(_ bytes: [UInt8]) -> String {
        var text = ""
        var rest = Self.text(bytes)[...]
        while !rest.isEmpty {
            text += rest.prefix(76) + "\n"
            rest = rest.dropFirst(76)
        }
        return text
    }

    /// Nil unless ``text(_:)`` would write the same text: another encoding of the same bytes could hide
    /// information.
    public static func bytes(_ text: String) -> [UInt8]? {
        guard let data = Data(base64Encoded: text), data.base64EncodedString() == text else { return nil }
        return [UInt8](data)
    }

    /// Decodes base64 with white space in it, as in Android's lines.
    public static func bytesWithinLines(_ text: String) -> [UInt8]? {
        bytes(String(text.filter { !$0.isWhitespace }))
    }
}
