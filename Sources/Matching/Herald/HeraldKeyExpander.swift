import FixedMemory
import Schemes

/// Makes the identifiers of published days of Herald's, many days one after another: what `Herald.expand` makes of each, on
/// libcrypto. 481 hashes a day.
public struct HeraldKeyExpander {
    /// Those of the day expanded last, by their periods.
    public private(set) var identifiers = [Bytes<16>](
        repeating: Bytes(), count: HeraldKeySchedule.periodsPerDay)

    public init() {}

    public mutating func expand(_ key: HeraldMatchingKey) {
        var seed = withUnsafeBytes(of: key.key) { SHA256Digest(of: $0) }
        for index in (0...HeraldKeySchedule.periodsPerDay).reversed() {
            let before = withUnsafeBytes(of: seed.lowHalf) { SHA256Digest(of: $0) }
            // The schedule's 241st key has no time.
            if index < HeraldKeySchedule.periodsPerDay {
                let contactKey = withUnsafeBytes(of: seed ^ before) { SHA256Digest(of: $0) }
                identifiers[index] = unsafeBitCast(contactKey.lowHalf, to: Bytes<16>.self)
            }
            seed = before
        }
    }
}
