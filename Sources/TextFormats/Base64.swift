import Foundation

/// Base64 (RFC 4648, 4) with its padding.
public enum Base64 {
    public static func text(_ bytes: [UInt8]) -> String { Data(bytes).base64EncodedString() }

    /// As Android's encoder writes it: lines of 76 characters, each with its end.
    public static func wrappedText(_ bytes: [UInt8]) -> String {
        var text = ""
        var rest = Self.text(bytes)[...]
        while !rest.isEmpty {
            text += rest.prefix(76) + "\n"
            rest = rest.dropFirst(76)
        }
        return text
    }

    /// Nil unless ``text(_:)`` would have written it: whoever encodes differently hides something in it.
    public static func bytes(_ text: String) -> [UInt8]? {
        guard let data = Data(base64Encoded: text), data.base64EncodedString() == text else { return nil }
        return [UInt8](data)
    }

    /// The same with white space in between, as Android's lines have.
    public static func bytesWithinLines(_ text: String) -> [UInt8]? {
        bytes(String(text.filter { !$0.isWhitespace }))
    }
}
