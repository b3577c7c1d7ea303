import Foundation

/// Rows for a fixed-width font. The first columns are left-aligned, each with its own width; the others
/// follow.
struct ColumnLayout {
    let widths: [Int]
    /// The width of the other columns, which are right-aligned numbers. Nil if they are printed as they are.
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
