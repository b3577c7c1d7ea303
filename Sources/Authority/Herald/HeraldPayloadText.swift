import Foundation
import TextFormats

/// A Herald payload as text, for people to paste and for QR codes. Herald defines no such form, so that of QR
/// codes is this project's own (docs/herald-payloads.md):
///
///     tabard:herald/1/MDoDBABA4gEA
///
/// Behind the last slash is the payload as on the air, in base64url without padding (RFC 4648, 5).
public enum HeraldPayloadText {
    public static let scheme = "tabard:"
    static let beginning = scheme + "herald/1/"
    /// The size limit of an attribute.
    public static let maximumByteCount = 512

    public static func uri(of payload: [UInt8]) -> String {
        let base64 = Base64.text(payload).replacing("+", with: "-").replacing("/", with: "_")
        return beginning + base64.replacing("=", with: "")
    }

    /// Parses a URI as above, hexadecimal digits of either case, or base64 of either alphabet, with or
    /// without padding. Text that is valid hexadecimal is read as such.
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
    /// A URI of this scheme in another form, or in a later version of this one.
    case otherForm
    case malformed
    case tooLong
}
