import FixedMemory
import Schemes
import TextFormats

/// The authority's register of reported keys, in a format of this project:
///
///     {"format":"tabard-exposure-register-1",
///      "waiting":[{"key":"…","rollingStart":2675000,"rollingPeriod":144,"reportType":1,
///                  "daysSinceOnset":-2,"received":"2026-11-22T09:00:00Z"}],
///      "batches":["RUsgRXhwb3J0…"]}
///
/// Keys and export files are in base64. A file is kept as published, with its random keys: if it were made
/// again, only the true keys would be in both. Only the authority may read the register, because it
/// distinguishes the true keys.
public struct ExposureRegister: JSONDocument, Equatable, Sendable {
    public static let format = "tabard-exposure-register-1"
    /// Keys that expired earlier are of no use to anyone.
    public static let retentionSeconds: UInt64 = 14 * 86_400
    /// Reports are published by whole hours, so that a file does not reveal when one arrived.
    public static let windowSeconds: UInt64 = 3_600

    private(set) var waiting: [WaitingKey] = []
    /// The published files, `export.bin` of each.
    public private(set) var batches: [[UInt8]] = []

    public init() {}

    public var waitingCount: Int { waiting.count }

    /// Accepts a report, or throws the reason for refusing it. A refused report leaves no trace.
    ///
    /// - Parameter reportType: as in ``ExportedKey/reportType``.
    public mutating func accept(
        _ report: ExposureReport, reportType: Int32, at unixSeconds: UInt64
    ) throws(ExposureReportRefusal) {
        guard (1...ExposureReport.maximumKeyCount).contains(report.keys.count) else { throw .keyCount }
        var known = Set(waiting.map(\.key.data) + batches.flatMap(Self.keyData))
        for key in report.keys {
            guard key.validity.startSeconds <= unixSeconds else { throw .notBegun }
            guard key.validity.endSeconds + Self.retentionSeconds > unixSeconds else { throw .tooOld }
            guard known.insert(key.data.array).inserted else { throw .alreadyKnown }
        }
        waiting += report.keys.map {
            WaitingKey(
                key: ExportedKey(
                    data: $0.data.array, rollingStart: Int32(bitPattern: $0.rollingStart.number),
                    rollingPeriod: Int32($0.rollingPeriod), reportType: reportType,
                    daysSinceOnset: report.daysSinceOnset($0)),
                receivedAt: unixSeconds)
        }
    }

    /// Makes the next file, of keys that arrived before the last full hour and have expired; the others wait.
    ///
    /// A key expires when receivers no longer accept its identifiers, tolerance included. Until then, a
    /// replayed identifier of a published key would be accepted.
    ///
    /// - Parameters:
    ///   - minimumKeyCount: the least number of keys, random ones included.
    ///   - generator: an unpredictable one.
    /// - Returns: false if there is nothing to publish.
    public mutating func publish(
        at unixSeconds: UInt64, region: String, signatureInfo: ExportSignatureInfo,
        minimumKeyCount: Int = ExposureKeyExport.minimumKeyCount,
        using generator: inout some RandomNumberGenerator
    ) -> Bool {
        let end = unixSeconds - unixSeconds % Self.windowSeconds
        let due = waiting.filter { $0.receivedAt < end && $0.isOver(at: unixSeconds) }
        guard let first = due.map(\.receivedAt).min() else { return false }
        var export = ExposureKeyExport()
        export.startSeconds = first - first % Self.windowSeconds
        export.endSeconds = end
        export.region = region
        export.batchNumber = 1
        export.batchSize = 1
        export.signatureInfos = [signatureInfo]
        export.keys = due.map(\.key)
        export.pad(to: minimumKeyCount, using: &generator)
        waiting.removeAll { $0.receivedAt < end && $0.isOver(at: unixSeconds) }
        batches.append(export.file)
        return true
    }

    private static func keyData(_ file: [UInt8]) -> [[UInt8]] {
        (try? ExposureKeyExport(file: file))?.keys.map(\.data) ?? []
    }

    public var json: JSONValue {
        .object([
            JSONMember("format", .string(Self.format)),
            JSONMember("waiting", .array(waiting.map(\.json))),
            JSONMember("batches", .array(batches.map { .string(Base64.text($0)) })),
        ])
    }

    /// Nil for anything but the output of ``json``, and if a batch is not an export file.
    public init?(_ json: JSONValue) {
        guard let waiting = json["waiting"]?.array, let batches = json["batches"]?.array else { return nil }
        self.waiting = waiting.compactMap(WaitingKey.init)
        self.batches = batches.compactMap { $0.string.flatMap(Base64.bytes) }
        guard self.json == json, self.batches.allSatisfy({ (try? ExposureKeyExport(file: $0)) != nil })
        else { return nil }
    }
}

/// A reported key that is not published yet.
struct WaitingKey: Equatable, Sendable {
    let key: ExportedKey
    let receivedAt: UInt64

    func isOver(at unixSeconds: UInt64) -> Bool {
        guard let end = (try? key.key())?.validity.endSeconds else { return false }
        return end + ExposureNotification.toleranceSeconds <= unixSeconds
    }

    var json: JSONValue {
        var members = [
            JSONMember("key", .string(Base64.text(key.data))),
            JSONMember("rollingStart", .integer(key.rollingStart ?? 0)),
            JSONMember("rollingPeriod", .integer(key.rollingPeriod ?? 0)),
            JSONMember("reportType", .integer(key.reportType ?? 0)),
        ]
        if let days = key.daysSinceOnset { members.append(JSONMember("daysSinceOnset", .integer(days))) }
        return .object(members + [JSONMember("received", .string(UTCTime.text(receivedAt)))])
    }

    init(key: ExportedKey, receivedAt: UInt64) {
        self.key = key
        self.receivedAt = receivedAt
    }

    init?(_ json: JSONValue) {
        guard let data = json["key"]?.string.flatMap(Base64.bytes),
            let receivedAt = json["received"]?.string.flatMap(UTCTime.seconds)
        else { return nil }
        key = ExportedKey(
            data: data, rollingStart: json["rollingStart"]?.integer(),
            rollingPeriod: json["rollingPeriod"]?.integer(), reportType: json["reportType"]?.integer(),
            daysSinceOnset: json["daysSinceOnset"]?.integer())
        self.receivedAt = receivedAt
        guard (try? key.key()) != nil else { return nil }
    }
}

/// Why a report is refused.
public enum ExposureReportRefusal: Error, Equatable, Sendable {
    /// No keys, or more than 30.
    case keyCount
    /// A key of a day that has not begun.
    case notBegun
    /// A key that expired more than 14 days ago.
    case tooOld
    /// One of the keys was reported before, or occurs twice.
    case alreadyKnown
}

extension ExposureReport {
    /// Days from the symptoms' day to the key's; nil if the onset is unknown, or more than the format's 14
    /// days away.
    fileprivate func daysSinceOnset(_ key: TemporaryExposureKey) -> Int32? {
        guard let symptomOnset else { return nil }
        let days =
            Int64(key.rollingStart.number / TemporaryExposureKey.intervalsPerDay)
            - Int64(symptomOnset.number / TemporaryExposureKey.intervalsPerDay)
        return (-14...14).contains(days) ? Int32(days) : nil
    }
}
