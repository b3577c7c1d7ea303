import Cryptography
import FixedMemory

/// The keep-alives of a Sonar phone's link. Such phones stay connected and keep each other awake: a phone
/// that subscribes gets one byte every eight seconds, and the board reads the link's RSSI as often.
struct KeepAlive: BitwiseCopyable {
    private static var interval: Interval { .seconds(8) }

    /// The link may be idle or the oldest without being ended for it.
    var isPinned = false
    private var next = Instant.start
    private var lastByte: UInt8 = 0

    func isDue(now: Instant) -> Bool { now >= next }

    /// A random byte that differs from the last one; nil if the board has no random bytes. Sonar's first
    /// version counted upwards, which identified a phone across midnight.
    func nextByte(_ entropy: Entropy) -> UInt8? {
        var byte = Bytes<1>()
        var bytes = byte.mutableSpan
        guard (try? entropy.fill(&bytes)) != nil else { return nil }
        return byte[0] == lastByte ? ~lastByte : byte[0]
    }

    mutating func didSend(_ byte: UInt8, now: Instant) {
        lastByte = byte
        next = now + Self.interval
    }
}
