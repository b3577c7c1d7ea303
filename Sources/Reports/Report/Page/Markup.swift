import Archive
import Foundation

/// Escapes text for HTML and SVG, and formats numbers briefly for coordinates.
public enum Markup {
    public static func escaped(_ text: String) -> String {
        var result = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&": result += "&amp;"
            case "<": result += "&lt;"
            case ">": result += "&gt;"
            case "\"": result += "&quot;"
            case "'": result += "&#39;"
            case "\u{0}"..<"\u{20}", "\u{7f}"..<"\u{a0}", "\u{202a}"..."\u{202e}", "\u{2066}"..."\u{2069}":
                // Replaces characters that move the cursor or reorder the line.
                result += "\u{fffd}"
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result
    }

    /// At most one decimal: a tenth of a pixel.
    static func number(_ value: Double) -> String {
        let tenths = Int((value * 10).rounded())
        return tenths.isMultiple(of: 10) ? "\(tenths / 10)" : "\(Double(tenths) / 10)"
    }

    /// An SVG path: "M1,2L3,4".
    static func path(_ points: some Sequence<(x: Double, y: Double)>) -> String {
        var result = ""
        for point in points {
            result += (result.isEmpty ? "M" : "L") + number(point.x) + "," + number(point.y)
        }
        return result
    }

    /// -52 as "−52", with a typographic minus sign instead of a hyphen.
    static func dBm(_ value: Int) -> String { value < 0 ? "\u{2212}\(-value)" : "\(value)" }

    static func dBm(_ value: Double) -> String {
        let tenths = Int((abs(value) * 10).rounded())
        return (value < 0 && tenths > 0 ? "\u{2212}" : "") + "\(tenths / 10).\(tenths % 10)"
    }

    /// Keeps numbers and their units on one line.
    public static func unbroken(_ text: String) -> String {
        text.replacing(#/(\d) (?=(?:ms|s|min|h|d)\b|%)/#) { "\($0.output.1)\u{a0}" }
    }

    /// A table cell with a time; without a wall clock, the time since the boot.
    static func moment(_ point: TimelinePoint, on timeline: Encounter.Timeline, _ time: TimeText) -> String {
        guard let wallClock = timeline.wallClock(point) else {
            return "<span class=\"relative\">\(TimeText.relative(point))</span>"
        }
        return """
            <time datetime="\(TimeText.utc(wallClock))">\(time.date(wallClock)) \
            <b>\(time.time(wallClock))</b></time>
            """
    }

    /// At most so many characters.
    public static func shortened(_ text: String, to limit: Int = 30) -> String {
        text.count > limit ? text.prefix(limit - 1) + "…" : text
    }

    /// A share of the width, such as "12.35%".
    static func percent(_ share: Double) -> String {
        let hundredths = Int((min(max(share, 0), 1) * 10_000).rounded())
        return hundredths.isMultiple(of: 100)
            ? "\(hundredths / 100)%" : "\(Double(hundredths) / 100)%"
    }

    /// A link that saves a CSV file; the page contains it.
    static func download(_ lines: [[String]], as name: String) -> String {
        let data = Data(lines.flatMap { CSVLine($0).utf8 }).base64EncodedString()
        return """
            <p class="download"><a download="\(name).csv" href="data:text/csv;base64,\(data)">Save these numbers \
            as CSV<span class="unseen">: \(name)</span></a></p>

            """
    }

    static func count(_ number: Int, _ singular: String, _ plural: String? = nil) -> String {
        number == 1 ? "1 \(singular)" : "\(grouped(number)) \(plural ?? singular + "s")"
    }

    /// 12345 as "12 345", with a narrow no-break space.
    static func grouped(_ number: Int) -> String {
        let digits = String(number)
        guard digits.count > 4 else { return digits }
        var result = ""
        for (index, digit) in digits.enumerated() {
            if index > 0, (digits.count - index).isMultiple(of: 3), digit.isNumber { result += "\u{202f}" }
            result.append(digit)
        }
        return result
    }
}
