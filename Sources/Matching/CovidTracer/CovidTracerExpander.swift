import FixedMemory
import Schemes

/// Derives CovidTracer's keys and identifiers for many days, one after another. It gives the same results as
/// `CovidTracer.expand`, but uses libcrypto.
public struct CovidTracerExpander {
    /// The identifiers of the day expanded last, by hour.
    public private(set) var identifiers = [CovidTracerIdentifier](
        repeating: CovidTracerIdentifier(Bytes()), count: 24)

    public init() {}

    public mutating func expand(_ root: CovidTracerRootKey, _ date: CalendarDate) {
        guard let midnight = CovidTracerHour(date: date, hour: 0) else { return }
        let code = withUnsafeBytes(of: root.bytes) { root in
            midnight.message.span.extracting(0..<10).withUnsafeBytes { KeyedSHA256(key: root).code(of: $0) }
        }
        expand(CovidTracerDailyKey(date: date, bytes: unsafeBitCast(code, to: Bytes<32>.self)))
    }

    public mutating func expand(_ key: CovidTracerDailyKey) {
        guard var message = CovidTracerHour(date: key.date, hour: 0)?.message else { return }
        let hash = withUnsafeBytes(of: key.bytes) { KeyedSHA256(key: $0) }
        for hour in 0..<24 {
            // In `2020-04-25T07` only the last two digits change.
            message[11] = UInt8(ascii: "0") + UInt8(hour / 10)
            message[12] = UInt8(ascii: "0") + UInt8(hour % 10)
            let code = message.span.withUnsafeBytes { hash.code(of: $0) }
            withUnsafeBytes(of: code) { code in
                identifiers[hour] = CovidTracerIdentifier(code.load(as: Bytes<20>.self))
            }
        }
    }
}
