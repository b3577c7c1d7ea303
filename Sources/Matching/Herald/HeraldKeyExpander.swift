import FixedMemory
import Schemes

/// Derives the identifiers of published Herald days, for many days one after another. It gives the same
/// results as `Herald.expand`, but uses libcrypto, with 481 hashes a day.
public struct HeraldKeyExpander {
    /// The identifiers of the day expanded last, by period.
    public private(set) var identifiers = [Bytes<16>](
        repeating: Bytes(), count: HeraldKeySchedule.periodsPerDay)

    public init() {}

    public mutating func expand(_ key: HeraldMatchingKey) {
        var seed = withUnsafeBytes(of: key.key) { SHA256Digest(of: $0) }
        for index in (0...HeraldKeySchedule.periodsPerDay).reversed() {
            let before = withUnsafeBytes(of: seed.lowHalf) { SHA256Digest(of: $0) }
            // The 241st key of the schedule belongs to no period.
            if index < HeraldKeySchedule.periodsPerDay {
                let contactKey = withUnsafeBytes(of: seed ^ before) { SHA256Digest(of: $0) }
                identifiers[index] = unsafeBitCast(contactKey.lowHalf, to: Bytes<16>.self)
            }
            seed = before
        }
    }
}
