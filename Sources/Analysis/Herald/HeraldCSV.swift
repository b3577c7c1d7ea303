/// Fields and lines as Herald writes them: a field is put in double quotes when it contains a comma or a quotation
/// mark, and quotation marks inside it are *not* doubled.
public enum HeraldCSV {
    /// Herald's rule, and quotes too around what R's `read.table` would take for a quotation or a comment. Line
    /// ends become blanks: nothing could read them back.
    public static func field(_ text: String) -> String {
        let line = String(String.UnicodeScalarView(text.unicodeScalars.map { isLineEnd($0) ? " " : $0 }))
        return line.unicodeScalars.contains { ",\"'#".unicodeScalars.contains($0) }
            ? "\"" + line + "\"" : line
    }

    public static func line(_ fields: [String]) -> String { fields.map(field).joined(separator: ",") + "\n" }

    /// The fields of one line, without its end. Any bytes give a value. A field that begins with a quotation mark
    /// ends at the next one that a comma or the line's end follows.
    static func split(_ line: ArraySlice<UInt8>, into fields: inout [Range<Int>]) {
        fields.removeAll(keepingCapacity: true)
        var start = line.startIndex
        while true {
            var end = start
            if end < line.endIndex, line[end] == quote, let closing = closingQuote(line, after: start) {
                fields.append(start + 1..<closing)
                end = closing + 1
            } else {
                while end < line.endIndex, line[end] != comma { end += 1 }
                fields.append(start..<end)
            }
            guard end < line.endIndex else { return }
            start = end + 1
        }
    }

    static func fields(_ line: ArraySlice<UInt8>) -> [String] {
        var ranges: [Range<Int>] = []
        split(line, into: &ranges)
        return ranges.map { String(decoding: line[$0], as: UTF8.self) }
    }

    private static func closingQuote(_ line: ArraySlice<UInt8>, after opening: Int) -> Int? {
        var index = opening + 1
        while index < line.endIndex {
            if line[index] == quote, index + 1 == line.endIndex || line[index + 1] == comma { return index }
            index += 1
        }
        return nil
    }

    private static func isLineEnd(_ scalar: Unicode.Scalar) -> Bool { scalar == "\n" || scalar == "\r" }

    private static let comma = UInt8(ascii: ",")
    private static let quote = UInt8(ascii: "\"")
}
