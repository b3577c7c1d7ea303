import FixedMemory

/// ACL data that the host received before the event that opens its connection. On USB events and data come
/// through different pipes, which keep no order between them, and a phone sends its first request as soon as
/// it is connected.
///
/// A connection begins with requests of at most 32 bytes, because a longer one needs an answer first. So a
/// few short packets are kept, each for a short time: an old packet may belong to an earlier connection
/// with this handle.
public struct EarlyData: BitwiseCopyable, Sendable {
    private struct Packet: BitwiseCopyable {
        var handle = ConnectionHandle(rawValue: 0)
        var adapter: UInt16 = 0
        var received = Instant.start
        /// The H4 packet; empty in a free place.
        var bytes = FixedBuffer<64>()
    }

    private static let longestWait = Interval.milliseconds(200)

    private var packets = InlineArray<8, Packet>(repeating: Packet())
    /// The place of the oldest packet, which the next one overwrites.
    private var oldest = 0

    public init() {}

    /// Keeps an H4 packet of a connection that is not open. A packet that is too long for a first request is
    /// dropped.
    public mutating func add(
        _ packet: Span<UInt8>, of handle: ConnectionHandle, adapter: UInt16 = 0, now: Instant
    ) {
        guard let bytes = FixedBuffer<64>(packet) else { return }
        packets[oldest] = Packet(handle: handle, adapter: adapter, received: now, bytes: bytes)
        oldest = (oldest + 1) % packets.count
    }

    /// Removes the oldest packet of a connection that is open now; nil if there is none.
    public mutating func take(
        of handle: ConnectionHandle, adapter: UInt16 = 0, now: Instant
    ) -> FixedBuffer<64>? {
        for step in packets.indices {
            let place = (oldest + step) % packets.count
            let packet = packets[place]
            guard !packet.bytes.isEmpty, packet.handle == handle, packet.adapter == adapter else { continue }
            packets[place].bytes.removeAll()
            if now <= packet.received + Self.longestWait { return packet.bytes }
        }
        return nil
    }
}
