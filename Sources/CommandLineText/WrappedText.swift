/// Text in lines of at most a given width.
public enum WrappedText {
    /// Breaks at spaces, and within a word only if it is longer than a line.
    ///
    /// - Parameters:
    ///   - width: nil for one line.
    ///   - indent: the number of spaces in front of each line but the first.
    public static func lines(_ text: String, width: Int?, indent: Int = 0) -> [String] {
        guard let width, text.count > width else { return [text] }
        // Of a narrow terminal, at least some of each line is left for the text.
        let indent = min(indent, width / 2)
        var lines: [String] = []
        var rest = Array(text)[...]
        while rest.count > room(lines, width, indent) {
            let room = room(lines, width, indent)
            let start = rest.firstIndex { $0 != " " } ?? rest.endIndex
            let limit = rest.startIndex + room
            let space = rest[rest.startIndex...limit].lastIndex(of: " ").flatMap { $0 > start ? $0 : nil }
            let end = space ?? limit
            lines.append(line(rest[..<end], lines, indent))
            rest = rest[end...].drop { $0 == " " }
        }
        if !rest.isEmpty { lines.append(line(rest, lines, indent)) }
        return lines
    }

    private static func room(_ lines: [String], _ width: Int, _ indent: Int) -> Int {
        max(1, lines.isEmpty ? width : width - indent)
    }

    private static func line(_ text: ArraySlice<Character>, _ lines: [String], _ indent: Int) -> String {
        let margin = lines.isEmpty ? "" : String(repeating: " ", count: indent)
        return margin + String(String(text).reversed().drop { $0 == " " }.reversed())
    }
}
