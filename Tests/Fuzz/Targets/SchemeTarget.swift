import FixedMemory
import Schemes

/// The input is read as the value of a characteristic or service data by each scheme, and as a record of its
/// secrets.
enum SchemeTarget {
    static func run(_ input: [UInt8]) throws(FuzzFinding) {
        if let identity = try? BLEProximity.read(input.span) {
            try require(
                identity.encoded.span.array == Array(input.prefix(8)), "an identity is its first 8 bytes")
        } else {
            try require(input.count < 8, "8 bytes are an identity")
        }
        if let identifier = try? CovidTracer.read(input.span) {
            try require(identifier.bytes.span.array == input, "an hourly key is all its bytes")
        }
        if let identity = try? ExposureNotification.read(input.span) {
            try require(
                Array(identity.advert.span.array.dropFirst(11)) == input, "an advert has the service data")
        }
        if let payload = try? Sonar.read(input.span) {
            try require(payload.encoded.span.array == input, "a payload written again is the same")
            _ = payload.isFresh(observedAt: 0)
        }
        if let identifier = try? Herald.read(input.span) {
            try require(identifier != Bytes<16>(), "zeros name nobody")
        }
        if let registration = SonarRegistrationRecord.decode(input.span) {
            try require(
                SonarRegistrationRecord.encode(registration).span.array == input,
                "a registration is written in one way")
        }
        if var keys = try? DayKeys(record: input.span) {
            try require(keys.record.span.array == input, "days' keys are written in one way")
            let day = keys.firstDay &+ UInt32(truncatingIfNeeded: input.count % 64)
            let (key, left) = (keys.key(of: day), keys.daysLeft(from: day))
            _ = keys.drop(before: day)
            try require(keys.key(of: day) == key && keys.dayCount == left, "keys from a day on stay")
        }
    }
}
