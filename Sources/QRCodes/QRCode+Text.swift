extension QRCode {
    /// Renders the code for a terminal with its quiet zone. Half blocks put two rows of modules on a line,
    /// and each line ends with a line feed. Dark modules are blank, because most terminals have a dark
    /// background. `isInverted` is for terminals with a light background, and for paper.
    public func text(isInverted: Bool = false) -> String {
        var text = ""
        let range = -Self.quietZone..<width + Self.quietZone
        for row in stride(from: range.lowerBound, to: range.upperBound, by: 2) {
            for column in range {
                let isUpperInked = isDark(column: column, row: row) == isInverted
                // Below the last row of an odd number nothing is drawn.
                let isLowerInked =
                    row + 1 < range.upperBound && isDark(column: column, row: row + 1) == isInverted
                let mark =
                    switch (isUpperInked, isLowerInked) {
                    case (true, true): "█"
                    case (true, false): "▀"
                    case (false, true): "▄"
                    case (false, false): " "
                    }
                text += mark
            }
            text += "\n"
        }
        return text
    }
}
