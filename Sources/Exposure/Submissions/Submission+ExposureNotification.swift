import Authority
import FixedMemory
import Schemes

extension Submission {
    /// The keys of the days, as the request that an app would send. It lacks the certificate by which
    /// authorities confirmed a test.
    ///
    /// - Parameters:
    ///   - own: all available keys; only those of the days are included.
    ///   - days: counted from 1970 in UTC; they must be over.
    ///   - began: the day on which symptoms began; nil if unknown.
    /// - Throws: if the days have no keys, or more than a request may contain.
    public static func exposureNotification(
        _ own: [TemporaryExposureKey], ofDays days: ClosedRange<UInt32>, began: CalendarDate?,
        healthAuthority: String, host: String, using generator: inout some RandomNumberGenerator
    ) throws(ExposureKeyCount) -> Submission {
        let chosen = own.filter { key in
            key.validity.startSeconds >= UInt64(days.lowerBound) * 86_400
                && key.validity.endSeconds <= (UInt64(days.upperBound) + 1) * 86_400
        }
        guard (1...ExposureReport.maximumKeyCount).contains(chosen.count) else {
            throw ExposureKeyCount(count: chosen.count)
        }
        let report = ExposureReport(
            keys: chosen, healthAuthority: healthAuthority,
            symptomOnset: began.map { ExposureNotificationInterval(number: $0.daysSince1970 * 144) })
        let request = report.request(host: host, using: &generator)
        var contents = [
            "\(chosen.count) keys of \(days.daysText)",
            began.map { "symptoms since \($0.text)" } ?? "no start of symptoms",
        ]
        if chosen.count < own.count {
            contents.append("not \(own.count - chosen.count) keys of other days")
        }
        return Submission(
            request.encoded,
            SubmissionText(
                recipient: "an Exposure Notification authority",
                request: "\(ExposureReport.method) \(ExposureReport.path) at \(host)", contents: contents))
    }
}

/// The number of keys is zero, or more than a request may contain.
public struct ExposureKeyCount: Error, Equatable, Sendable {
    public let count: Int
}
