/// A line of a CSV table (RFC 4180), as bytes, because a long list prints millions of fields.
public struct CSVLine {
    private var bytes: [UInt8] = []

    public init(_ fields: [String]) {
        bytes.reserveCapacity(512)
        for (place, field) in fields.enumerated() {
            if place > 0 { bytes.append(UInt8(ascii: ",")) }
            append(field)
        }
        bytes += [UInt8(ascii: "\r"), UInt8(ascii: "\n")]
    }

    /// UTF-8, with the line's end.
    public var utf8: [UInt8] { bytes }

    public var text: String { String(decoding: bytes, as: UTF8.self) }

    /// Quotes a field if necessary. A text that a spreadsheet would take for a formula gets a leading
    /// apostrophe: labels come off the air, and a beacon's name must not run code on the reader's computer.
    private mutating func append(_ field: String) {
        let isFormula = field.utf8.first.map(Self.beginsFormula) == true && Double(field) == nil
        var field = field
        field.withUTF8 { text in
            let needsQuotes = text.contains(where: Self.isSpecial)
            let quote = UInt8(ascii: "\"")
            if needsQuotes { bytes.append(quote) }
            if isFormula { bytes.append(UInt8(ascii: "'")) }
            guard needsQuotes else { return bytes.append(contentsOf: text) }
            for byte in text {
                if byte == quote { bytes.append(quote) }
                bytes.append(byte)
            }
            bytes.append(quote)
        }
    }

    private static func beginsFormula(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "="), UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "@"), UInt8(ascii: "\t"),
            UInt8(ascii: "\r"):
            true
        default: false
        }
    }

    /// The field of a line without the apostrophe that such a line gives to formulas.
    public static func original(_ field: String) -> String {
        let rest = field.utf8.dropFirst()
        let hasMark = field.utf8.first == UInt8(ascii: "'") && rest.first.map(beginsFormula) == true
        return hasMark ? String(Substring(rest)) : field
    }

    private static func isSpecial(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: ",") || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\r")
            || byte == UInt8(ascii: "\n")
    }
}
