import Foundation
import TextFormats

/// A Herald payload as text: for people to paste, and for a QR code to hold. Herald has no form for that, so the one of QR codes
/// is ours (docs/herald-payloads.md):
///
///     tabard:herald/1/MDoDBABA4gEA
///
/// What is behind the last slash is the payload as it is on the air, in base64 with the alphabet for addresses, without padding
/// (RFC 4648, 5).
public enum HeraldPayloadText {
    public static let scheme = "tabard:"
    static let beginning = scheme + "herald/1/"
    /// What an attribute holds.
    public static let maximumByteCount = 512

    public static func uri(of payload: [UInt8]) -> String {
        let base64 = Base64.text(payload).replacing("+", with: "-").replacing("/", with: "_")
        return beginning + base64.replacing("=", with: "")
    }

    /// Reads a URI as above, hexadecimal digits of either case, or base64 of either alphabet, with its padding or without. What
    /// can be read as hexadecimal is that.
    public static func bytes(of text: String) throws(HeraldPayloadTextError) -> [UInt8] {
        let trimmed = text.trimmingCharacters(in: .whitespacesAndNewlines)
        guard !trimmed.isEmpty else { throw .empty }
        let payload: [UInt8]
        if trimmed.lowercased().hasPrefix(scheme) {
            guard trimmed.hasPrefix(beginning) else { throw .otherForm }
            payload = try base64(String(trimmed.dropFirst(beginning.count)))
        } else if let bytes = Hexadecimal.bytes(trimmed.lowercased()) {
            payload = bytes
        } else {
            payload = try base64(trimmed)
        }
        guard !payload.isEmpty else { throw .empty }
        guard payload.count <= maximumByteCount else { throw .tooLong }
        return payload
    }

    private static func base64(_ text: String) throws(HeraldPayloadTextError) -> [UInt8] {
        var plain = text.replacing("-", with: "+").replacing("_", with: "/")
        while plain.hasSuffix("=") { plain.removeLast() }
        plain += String(repeating: "=", count: (4 - plain.utf8.count % 4) % 4)
        guard let bytes = Base64.bytes(plain) else { throw .malformed }
        return bytes
    }
}

public enum HeraldPayloadTextError: Error, Equatable, Sendable {
    case empty
    /// A URI of this scheme that is not of this form, or of a later version of it.
    case otherForm
    case malformed
    case tooLong
}
