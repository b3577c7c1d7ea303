import Authority
import FixedMemory
import FlashSimulator
import Schemes

/// The phones of a sample archive's strangers, with Exposure Notification: each has a key for each day.
struct SamplePhones {
    let seed: UInt64
    /// The first day of the archive, 00:00 UTC.
    let firstDay: WallClockTime

    /// Of phones, the fraction whose keys are published is 1 of this number.
    private static let patientShare: UInt64 = 500
    /// Phones keep their keys for so many days.
    private static let publishedDays = 14
    private static let metadata = AssociatedMetadata(
        majorVersion: 1, minorVersion: 0, calibrationConfidence: 0, txPowerDBm: -20)

    /// The 20 bytes that a phone advertises at a time, counted from the start of the day.
    func identity(
        of phone: UInt64, day: Int, at time: Interval
    ) throws(ExposureNotificationError) -> [UInt8] {
        let key = try key(of: phone, day: day)
        var keys = try RollingKeys(key)
        let interval = try ExposureNotificationInterval(containing: (start(of: day) + time).seconds)
        let identifier = try keys.identifier(of: interval)
        let metadata = try keys.encrypt(Self.metadata, with: identifier)
        return [UInt8](copying: identifier.bytes.span) + [UInt8](copying: metadata.bytes.span)
    }

    /// The keys that are published at the end of the archive: those of patients that the boards may have met,
    /// and random ones that nobody met.
    ///
    /// - Parameters:
    ///   - phoneCount: the number of phones in the archive.
    ///   - dayCount: the number of days in the archive.
    ///   - count: the number of keys in all.
    func published(
        phoneCount: UInt64, dayCount: Int, count: Int
    ) throws(ExposureNotificationError) -> ExposureKeyExport {
        var export = ExposureKeyExport()
        let days = max(0, dayCount - Self.publishedDays)..<dayCount
        export.startSeconds = start(of: days.lowerBound).seconds
        export.endSeconds = start(of: dayCount).seconds
        (export.batchNumber, export.batchSize) = (1, 1)
        for phone in stride(from: 0, to: phoneCount, by: Int(Self.patientShare)) {
            for day in days where export.keys.count < count {
                export.keys.append(exported(try key(of: phone, day: day)))
            }
        }
        var random = RandomStream(seed: seed).split("people whom no board met")
        while export.keys.count < count {
            let day = days.lowerBound + export.keys.count % days.count
            export.keys.append(exported(try key(random.bytes(), day: day)))
        }
        export.sortKeys()
        return export
    }

    private func exported(_ key: TemporaryExposureKey) -> ExportedKey {
        ExportedKey(
            data: [UInt8](copying: key.data.span), rollingStart: Int32(bitPattern: key.rollingStart.number),
            rollingPeriod: Int32(key.rollingPeriod), reportType: 1, daysSinceOnset: 0)
    }

    private func key(of phone: UInt64, day: Int) throws(ExposureNotificationError) -> TemporaryExposureKey {
        var random = RandomStream(seed: seed).split("key of phone \(phone) on day \(day)")
        return try key(random.bytes(), day: day)
    }

    private func key(_ data: Bytes<16>, day: Int) throws(ExposureNotificationError) -> TemporaryExposureKey {
        try TemporaryExposureKey(
            data: data, rollingStart: try ExposureNotificationInterval(containing: start(of: day).seconds))
    }

    private func start(of day: Int) -> WallClockTime { firstDay + .days(1) * UInt64(day) }
}
