import FixedMemory
import Schemes
import TextFormats

/// The report of a person who has fallen ill: the keys of sixteen days, from five before the symptoms began
/// to ten after.
///
/// A form: `is_tested`, `comment`, then `keys-N-date` and `keys-N-value` for N from 0 to 15.
public struct CovidTracerReport: Equatable, Sendable {
    public static let dayCount = 16
    public static let daysBeforeOnset = 5
    public static let maximumCommentLength = 1_000

    public let isTested: Bool
    public let comment: String
    /// The keys of sixteen consecutive days.
    public let keys: [CovidTracerDailyKey]

    /// Makes the report of a phone with this root.
    public init(
        root: CovidTracerRootKey, symptomOnset: CalendarDate, isTested: Bool, comment: String = ""
    ) throws(CovidTracerError) {
        try self.init(symptomOnset: symptomOnset, isTested: isTested, comment: comment) {
            date throws(CovidTracerError) in try root.dailyKey(of: date)
        }
    }

    /// - Parameter dailyKey: returns nil for a day without a key.
    /// - Throws: `.noDate` for a day that has no date or no key.
    public init(
        symptomOnset: CalendarDate, isTested: Bool, comment: String = "",
        dailyKey: (CalendarDate) throws(CovidTracerError) -> CovidTracerDailyKey?
    ) throws(CovidTracerError) {
        var keys: [CovidTracerDailyKey] = []
        for offset in 0..<Self.dayCount {
            guard let date = symptomOnset.adding(days: offset - Self.daysBeforeOnset),
                let key = try dailyKey(date)
            else { throw .noDate }
            keys.append(key)
        }
        self.keys = keys
        self.isTested = isTested
        self.comment = comment
    }

    /// The form's fields, in order.
    public var fields: [CovidTracerFormField] {
        var fields = [
            CovidTracerFormField("is_tested", isTested ? "true" : "false"),
            CovidTracerFormField("comment", comment),
        ]
        for (index, key) in keys.enumerated() {
            fields.append(CovidTracerFormField("keys-\(index)-date", key.date.text))
            fields.append(CovidTracerFormField("keys-\(index)-value", key.text))
        }
        return fields
    }

    /// Parses a received form.
    ///
    /// - Parameter today: the authority's date, UTC.
    /// - Throws: the first error in this order: the fields, the test, the comment; each day's date and key
    ///   (64 upper-case digits: the original's apps cannot read others, and its server accepted them); equal
    ///   keys; a first day after today.
    public init(fields: [CovidTracerFormField], today: CalendarDate) throws(CovidTracerReportDefect) {
        guard fields.count == 2 + 2 * Self.dayCount else { throw .fieldCount(fields.count) }
        var values: [String: String] = [:]
        for field in fields {
            guard values.updateValue(field.value, forKey: field.name) == nil else {
                throw .repeatedField(field.name)
            }
        }
        guard let tested = values["is_tested"], tested == "true" || tested == "false" else {
            throw .noTestResult
        }
        guard let comment = values["comment"], comment.count <= Self.maximumCommentLength else {
            throw .noComment
        }
        isTested = tested == "true"
        self.comment = comment
        keys = try Self.keys(of: values)
        guard Set(keys.map(\.text)).count == Self.dayCount else { throw .repeatedKey }
        guard keys[0].date.daysSince1970 <= today.daysSince1970 else { throw .notBegun(keys[0].date) }
    }

    private static func keys(of values: [String: String]) throws(CovidTracerReportDefect)
        -> [CovidTracerDailyKey]
    {
        var keys: [CovidTracerDailyKey] = []
        for index in 0..<dayCount {
            guard let date = values["keys-\(index)-date"].flatMap({ CalendarDate(text: $0) }) else {
                throw .noDate(index)
            }
            guard
                let key = values["keys-\(index)-value"].flatMap({ CovidTracerDailyKey(date: date, text: $0) })
            else { throw .noKey(index) }
            guard keys.last.map({ $0.date.adding(days: 1) == date }) ?? true else {
                throw .notConsecutive(index)
            }
            keys.append(key)
        }
        return keys
    }
}

/// Why a form is not a valid report. Numbers are those of the fields `keys-N-date` and `keys-N-value`.
public enum CovidTracerReportDefect: Error, Equatable, Sendable {
    /// The form has this number of fields instead of 34.
    case fieldCount(Int)
    case repeatedField(String)
    /// `is_tested` is neither true nor false.
    case noTestResult
    /// The comment is missing or too long.
    case noComment
    case noDate(Int)
    /// Not 64 upper-case hexadecimal digits.
    case noKey(Int)
    /// Not the day after the previous one.
    case notConsecutive(Int)
    case repeatedKey
    /// The first day is after today.
    case notBegun(CalendarDate)
}

public struct CovidTracerFormField: Equatable, Sendable {
    public let name: String
    public let value: String

    public init(_ name: String, _ value: String) {
        self.name = name
        self.value = value
    }
}

extension CovidTracerDailyKey {
    /// The key as 64 digits, upper-case.
    public var text: String { Hexadecimal.text(bytes.array, uppercase: true) }

    /// Nil for anything but 64 digits, upper-case.
    public init?(date: CalendarDate, text: String) {
        guard let digits = Hexadecimal.bytes(text, uppercase: true), let bytes = Bytes<32>(digits) else {
            return nil
        }
        self.init(date: date, bytes: bytes)
    }
}
