import Foundation

/// Rows for a font of one width: some columns to the left, each of its own width, and others behind them.
struct ColumnLayout {
    let widths: [Int]
    /// How wide those others are, which are numbers, and stand to the right; nil: they are left as they are.
    var numberWidth: Int?

    func row(_ columns: String...) -> String {
        columns.enumerated().map { index, text in
            if index < widths.count {
                return text.padding(toLength: widths[index], withPad: " ", startingAt: 0)
            }
            guard let numberWidth else { return text }
            return String(repeating: " ", count: max(1, numberWidth - text.count)) + text
        }.joined()
    }
}
