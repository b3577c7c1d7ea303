import QRCodes

/// A QR code as an SVG drawing that prints at any size: dark on white, with its quiet zone and a caption
/// below.
public struct QRPoster: Sendable {
    private let code: QRCode
    private let caption: [String]

    public init(_ code: QRCode, caption: [String] = []) {
        self.code = code
        self.caption = caption
    }

    /// SVG 1.1, with one unit per module.
    public func svg() -> String {
        let side = code.width + 2 * QRCode.quietZone
        let fontSize = Double(side) / 16
        let height = Markup.number(Double(side) + Double(caption.count) * fontSize * 1.5)
        var text = """
            <?xml version="1.0" encoding="UTF-8"?>
            <svg xmlns="http://www.w3.org/2000/svg" version="1.1" viewBox="0 0 \(side) \(height)" \
            shape-rendering="crispEdges">
            <rect width="\(side)" height="\(height)" fill="#fff"/>
            <path fill="#000" d="\(path)"/>

            """
        for (index, line) in caption.enumerated() {
            let baseline = Double(side) + (Double(index) + 0.5) * fontSize * 1.5
            // A long line is compressed instead of cut off.
            let fit =
                Double(line.count) * fontSize * 0.6 > Double(code.width)
                ? " textLength=\"\(code.width)\" lengthAdjust=\"spacingAndGlyphs\"" : ""
            text += """
                <text x="\(Markup.number(Double(side) / 2))" y="\(Markup.number(baseline))" font-family="sans-serif" \
                font-size="\(Markup.number(fontSize))" text-anchor="middle"\(fit)>\(Markup.escaped(line))</text>

                """
        }
        return text + "</svg>\n"
    }

    /// The path with one rectangle per run of dark modules in a row.
    private var path: String {
        var path = ""
        for row in 0..<code.width {
            var column = 0
            while column < code.width {
                let start = column
                while code.isDark(column: column, row: row) { column += 1 }
                let length = column - start
                if length > 0 {
                    path += "M\(start + QRCode.quietZone) \(row + QRCode.quietZone)h\(length)v1h-\(length)z"
                }
                column += 1
            }
        }
        return path
    }
}
