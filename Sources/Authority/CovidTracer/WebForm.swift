import TextFormats

/// The fields of a form as a browser sends them: `application/x-www-form-urlencoded` (WHATWG URL, 5).
public enum WebForm {
    public static let mediaType = "application/x-www-form-urlencoded"

    public static func text(_ fields: [CovidTracerFormField]) -> String {
        fields.map { encoded($0.name) + "=" + encoded($0.value) }.joined(separator: "&")
    }

    /// Nil if a field has no `=`, an escape is invalid, or the result is not UTF-8.
    public static func fields(_ text: some Sequence<UInt8>) -> [CovidTracerFormField]? {
        var fields: [CovidTracerFormField] = []
        for part in Array(text).split(separator: UInt8(ascii: "&"), omittingEmptySubsequences: false) {
            guard let equals = part.firstIndex(of: UInt8(ascii: "=")), let name = decoded(part[..<equals]),
                let value = decoded(part[(equals + 1)...])
            else { return nil }
            fields.append(CovidTracerFormField(name, value))
        }
        return fields
    }

    private static func encoded(_ text: String) -> String {
        var encoded: [UInt8] = []
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: " "): encoded.append(UInt8(ascii: "+"))
            case _ where isPlain(byte): encoded.append(byte)
            default: encoded += Array(("%" + Hexadecimal.text([byte], uppercase: true)).utf8)
            }
        }
        return String(decoding: encoded, as: UTF8.self)
    }

    private static func isPlain(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "a")...UInt8(ascii: "z"):
            true
        default: "*-._".utf8.contains(byte)
        }
    }

    private static func decoded(_ text: ArraySlice<UInt8>) -> String? {
        var bytes: [UInt8] = []
        var rest = text
        while let byte = rest.popFirst() {
            switch byte {
            case UInt8(ascii: "+"): bytes.append(UInt8(ascii: " "))
            case UInt8(ascii: "%"):
                guard let high = rest.popFirst().flatMap(Hexadecimal.value),
                    let low = rest.popFirst().flatMap(Hexadecimal.value)
                else { return nil }
                bytes.append(high << 4 | low)
            default: bytes.append(byte)
            }
        }
        return String(validating: bytes, as: UTF8.self)
    }
}
