import Archive

/// The appearance of an interval in a coverage strip. Patterns distinguish the states without relying on
/// colour alone.
enum CoverageState: String, CaseIterable {
    case heard, quiet, radio, off, untold, unrecorded

    init(_ cause: BlindCause) {
        switch cause {
        case .radioFault: self = .radio
        case .notRunning, .startingUp: self = .off
        case .noClock, .logOverwritten, .logDamaged, .logClosed, .unknown: self = .untold
        case .beforeRecord, .notFetched: self = .unrecorded
        }
    }

    var legend: String {
        switch self {
        case .heard: "listening"
        case .quiet: "listening, nothing heard"
        case .radio: "blind: the radio failed"
        case .off: "blind: not running"
        case .untold: "blind: cause unknown"
        case .unrecorded: "no record: before the log begins, or not fetched yet"
        }
    }

    /// The fill pattern, defined once per page; nil for a plain colour.
    var pattern: String? {
        switch self {
        case .radio: "coverage-radio"
        case .untold: "coverage-untold"
        case .unrecorded: "coverage-blind"
        case .heard, .quiet, .off: nil
        }
    }

    var attributes: String {
        let fill = pattern.map { " fill=\"url(#\($0))\"" } ?? ""
        return "class=\"\(rawValue)\"\(fill)"
    }

    /// The definitions of all patterns for the page.
    static let patterns = """
        <svg class="patterns" width="0" height="0" aria-hidden="true"><defs>\
        <pattern id="coverage-radio" width="5" height="5" patternUnits="userSpaceOnUse" \
        patternTransform="rotate(45)"><rect class="wash" width="5" height="5"/>\
        <line class="alarm" x1="0" y1="0" x2="0" y2="5"/></pattern>\
        <pattern id="coverage-untold" width="5" height="5" patternUnits="userSpaceOnUse" \
        patternTransform="rotate(45)"><line class="hatching" x1="0" y1="0" x2="0" y2="5"/></pattern>\
        <pattern id="coverage-blind" width="7" height="7" patternUnits="userSpaceOnUse" \
        patternTransform="rotate(45)"><line class="shade" x1="0" y1="0" x2="0" y2="7"/></pattern>\
        </defs></svg>

        """

    /// The legend: one line with a sample of each state.
    static let key = """
        <ul class="key">\(allCases.map(\.item).joined())</ul>

        """

    private var item: String {
        """
        <li><svg width="26" height="10" viewBox="0 0 26 10" aria-hidden="true"><rect \(attributes) x="0.5" y="0.5" \
        width="25" height="9" rx="2"/></svg>\(legend)</li>
        """
    }
}
