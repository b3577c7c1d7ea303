/// Fields and lines in Herald's format. A field with a comma or quotation mark is enclosed in double quotes.
/// Quotation marks inside it are *not* doubled.
public enum HeraldCSV {
    /// Quotes a field by Herald's rule, and also if it has characters that R's `read.table` would take for a
    /// quotation or a comment. Line ends become spaces, because nothing could read them back.
    public static func field(_ text: String) -> String {
        let line = String(String.UnicodeScalarView(text.unicodeScalars.map { isLineEnd($0) ? " " : $0 }))
        return line.unicodeScalars.contains { ",\"'#".unicodeScalars.contains($0) }
            ? "\"" + line + "\"" : line
    }

    public static func line(_ fields: [String]) -> String { fields.map(field).joined(separator: ",") + "\n" }

    /// The character between the fields of a file with this first line. Spreadsheets of many countries write
    /// semicolons or tabs instead of commas.
    static func separator(of header: ArraySlice<UInt8>) -> UInt8 {
        [comma, UInt8(ascii: ";"), UInt8(ascii: "\t")].first(where: header.contains) ?? comma
    }

    /// Splits one line, without its end, into fields. Any bytes give a value. A field that begins with a
    /// quotation mark ends at the next one in front of a separator or the line's end.
    static func split(_ line: ArraySlice<UInt8>, at separator: UInt8, into fields: inout [Range<Int>]) {
        fields.removeAll(keepingCapacity: true)
        var start = line.startIndex
        while true {
            var end = start
            if end < line.endIndex, line[end] == quote,
                let closing = closingQuote(line, after: start, separator)
            {
                fields.append(start + 1..<closing)
                end = closing + 1
            } else {
                while end < line.endIndex, line[end] != separator { end += 1 }
                fields.append(start..<end)
            }
            guard end < line.endIndex else { return }
            start = end + 1
        }
    }

    /// The fields of a file's first line.
    static func fields(_ line: ArraySlice<UInt8>) -> [String] {
        var ranges: [Range<Int>] = []
        split(line, at: separator(of: line), into: &ranges)
        return ranges.map { String(decoding: line[$0], as: UTF8.self) }
    }

    private static func closingQuote(
        _ line: ArraySlice<UInt8>, after opening: Int, _ separator: UInt8
    ) -> Int? {
        var index = opening + 1
        while index < line.endIndex {
            if line[index] == quote, index + 1 == line.endIndex || line[index + 1] == separator {
                return index
            }
            index += 1
        }
        return nil
    }

    private static func isLineEnd(_ scalar: Unicode.Scalar) -> Bool { scalar == "\n" || scalar == "\r" }

    private static let comma = UInt8(ascii: ",")
    private static let quote = UInt8(ascii: "\"")
}
