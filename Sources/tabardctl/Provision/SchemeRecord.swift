import Archive
import CommandLineText
import Exposure
import FixedMemory
import Reports
import Schemes

/// A board's stored record of a scheme, in the form of its transfer and storage.
struct SchemeRecord {
    let bytes: [UInt8]
    /// A description of the content.
    let text: String

    init(_ registration: SonarRegistration) {
        let record = SonarRegistrationRecord.encode(registration)
        self.init(sonarRegistration: [UInt8](copying: record.span))
    }

    init(sonarRegistration record: [UInt8]) {
        bytes = record
        text = "the registration of one installation"
    }

    /// Makes all keys of the job in one call.
    init(_ job: DayKeysJob) throws(Failure) {
        var job = job
        guard let keys = job.advance(hashLimit: .max), !keys.isEmpty else {
            throw Failure(.unavailable, "not enough memory for the keys; close other programs and try again")
        }
        self.init(keys)
    }

    /// - Parameter keys: those of one day or more.
    init(_ keys: DayKeys) {
        let record = keys.record
        bytes = [UInt8](copying: record.span)
        let last = keys.firstDay + UInt32(keys.dayCount) - 1
        text = "the keys of \(Count.text(keys.dayCount, "day")), \((keys.firstDay...last).daysText)"
    }
}
