import FixedMemory
import Schemes
import TextFormats

/// The register's file, in a format of this project:
///
///     {"format":"tabard-covid-tracer-register-1",
///      "rows":[{"key":"…","date":"2026-11-22","type":"positive","reported":"2026-11-22T09:00:00Z"}],
///      "acceptances":[{"address":"192.0.2.1","at":"2026-11-22T09:00:00Z"}]}
///
/// Only its authority may read it, because the rows are in order of arrival.
extension CovidTracerRegister {
    public static let format = "tabard-covid-tracer-register-1"

    public var json: JSONValue {
        .object([
            JSONMember("format", .string(Self.format)),
            JSONMember("rows", .array(rows.map(\.json))),
            JSONMember("acceptances", .array(acceptances.map(\.json))),
        ])
    }

    public init?(_ json: JSONValue) {
        guard let rows = json["rows"]?.array, let acceptances = json["acceptances"]?.array else { return nil }
        self.init(
            rows: rows.compactMap(CovidTracerRow.init), acceptances: acceptances.compactMap(Acceptance.init))
        guard self.json == json else { return nil }
    }
}

extension CovidTracerRow {
    fileprivate var json: JSONValue {
        .object([
            JSONMember("key", .string(key.text)),
            JSONMember("date", .string(key.date.text)),
            JSONMember("type", .string(CovidTracerCase(key: key, isTested: isTested).type)),
            JSONMember("reported", .string(UTCTime.text(reportedAt))),
        ])
    }

    fileprivate init?(_ json: JSONValue) {
        guard let reported = CovidTracerCase(json),
            let reportedAt = json["reported"]?.string.flatMap(UTCTime.seconds)
        else { return nil }
        self.init(key: reported.key, isTested: reported.isTested, reportedAt: reportedAt)
    }
}

extension CovidTracerRegister.Acceptance {
    fileprivate var json: JSONValue {
        .object([
            JSONMember("address", .string(address)),
            JSONMember("at", .string(UTCTime.text(unixSeconds))),
        ])
    }

    fileprivate init?(_ json: JSONValue) {
        guard let address = json["address"]?.string,
            let unixSeconds = json["at"]?.string.flatMap(UTCTime.seconds)
        else { return nil }
        self.init(address: address, unixSeconds: unixSeconds)
    }
}
