extension QRCode {
    /// For a terminal: half blocks, two rows of modules on a line, with the quiet zone; each line ends with a line feed. Dark
    /// modules are what the terminal leaves blank, as on most it is the dark colour. `isInverted`: for terminals that are dark
    /// on light, and for paper.
    public func text(isInverted: Bool = false) -> String {
        var text = ""
        let range = -Self.quietZone..<width + Self.quietZone
        for row in stride(from: range.lowerBound, to: range.upperBound, by: 2) {
            for column in range {
                let isUpperInked = isDark(column: column, row: row) == isInverted
                // Below the last line there is nothing.
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
