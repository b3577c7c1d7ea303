/// Checks the quotes of a text in CSV (RFC 4180), because SwiftCSV takes a quote that is never closed for the
/// rest of the file, and says of other mistakes neither row nor remedy.
enum CSVQuotes {
    static func check(_ text: String) throws(CSVTableError) {
        var line = 1
        // The line of column names is row 0.
        var row = 0
        var rowLine = 1
        var state = State.atStart
        for byte in text.utf8 {
            let isLineEnd = byte == UInt8(ascii: "\n") || byte == UInt8(ascii: "\r")
            switch state {
            case .quoted: if byte == UInt8(ascii: "\"") { state = .afterQuote }
            case .afterQuote where byte == UInt8(ascii: "\""): state = .quoted
            case .afterQuote where !isLineEnd && !separators.contains(byte):
                throw CSVTableError(
                    line: line,
                    reason: "row \(row): text after a closing quote; double the quotes within a field")
            case .atStart where byte == UInt8(ascii: "\""): state = .quoted
            default: state = isLineEnd || separators.contains(byte) ? .atStart : .inField
            }
            guard byte == UInt8(ascii: "\n") else { continue }
            line += 1
            if state != .quoted {
                row += 1
                rowLine = line
            }
        }
        if state == .quoted {
            throw CSVTableError(line: rowLine, reason: "row \(row): a quote is never closed")
        }
    }

    private enum State { case atStart, inField, quoted, afterQuote }

    /// Spaces may stand beside a quoted field.
    private static let separators = Set(",;\t ".utf8)
}
