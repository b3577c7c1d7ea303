/// A value of an exported table, of the kind that its column says.
public enum ExportValue: Sendable, Equatable {
    case missing
    case text(String)
    case integer(Int64)
    case real(Double)
    case truth(Bool)
    /// Milliseconds since 1970 UTC.
    case time(Int64)

    init(_ text: String?) { self = text.map(ExportValue.text) ?? .missing }
    init(_ number: Int?) { self = number.map { .integer(Int64($0)) } ?? .missing }

    /// Seconds with milliseconds.
    init(milliseconds: Int64?) { self = milliseconds.map { .real(Double($0) / 1000) } ?? .missing }

    /// For CSV; empty for a missing value.
    var plainText: String {
        switch self {
        case .missing: ""
        case .text(let text): text
        case .integer(let number): "\(number)"
        case .real(let number): "\(number)"
        case .truth(let value): value ? "true" : "false"
        case .time(let milliseconds): ExportTime.text(milliseconds)
        }
    }
}
