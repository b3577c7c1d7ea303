import FixedMemory
import Schemes

/// Input: what a characteristic or service data gave, to each scheme.
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
    }
}
