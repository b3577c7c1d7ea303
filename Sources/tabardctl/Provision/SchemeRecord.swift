import Archive
import CommandLineText
import Exposure
import FixedMemory
import Reports
import Schemes

/// What a board keeps of a scheme, as it goes to it and as it lies there.
struct SchemeRecord {
    let bytes: [UInt8]
    /// What is in it.
    let text: String

    init(_ registration: SonarRegistration) {
        let record = SonarRegistrationRecord.encode(registration)
        bytes = [UInt8](copying: record.span)
        text = "the registration of one installation"
    }

    /// All that the job makes, at once.
    init(_ job: DayKeysJob) throws(Failure) {
        var job = job
        guard let keys = job.advance(hashLimit: .max), !keys.isEmpty else {
            throw Failure(.unavailable, "not enough memory for the keys; close other programs and try again")
        }
        let record = keys.record
        bytes = [UInt8](copying: record.span)
        let last = keys.firstDay + UInt32(keys.dayCount) - 1
        text = "the keys of \(keys.dayCount) days, \((keys.firstDay...last).daysText)"
    }
}
