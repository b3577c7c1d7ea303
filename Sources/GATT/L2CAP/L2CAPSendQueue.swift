import FixedMemory

/// What waits to be sent on one link: whole L2CAP PDUs, first in, first out, cut into ACL fragments as the
/// controller has room for them. Holds up to `capacity` bytes, headers included.
public struct L2CAPSendQueue<let capacity: Int>: BitwiseCopyable {
    private var storage = InlineArray<capacity, UInt8>(repeating: 0)
    private var head = 0
    private var count = 0
    /// Bytes of the PDU at the head that are still to be sent; 0 when none of it has been.
    private var unsentOfFirst = 0

    public init() {}

    public var isEmpty: Bool { count == 0 }

    public func hasRoom(forPayload byteCount: Int) -> Bool {
        byteCount + L2CAP.headerByteCount <= capacity - count
    }

    /// Appends a PDU, or nothing when there is no room for all of it.
    public mutating func append(_ payload: Span<UInt8>, channel: L2CAPChannel) throws(CapacityError) {
        guard payload.count <= L2CAP.maximumPayloadByteCount, hasRoom(forPayload: payload.count) else {
            throw CapacityError()
        }
        push(UInt16(truncatingIfNeeded: payload.count))
        push(channel.rawValue)
        for index in payload.indices { push(payload[index]) }
    }

    /// Appends the next fragment to `sink`: at most `maximumByteCount` bytes (the controller's LE ACL data
    /// length, 27 at least) and what `sink` has room for.
    /// - Returns: the boundary flag to send it with; nil, and nothing appended, when nothing waits.
    public mutating func nextFragment<Sink: ByteSink & ~Copyable>(
        maximumByteCount: Int, into sink: inout Sink
    ) -> ACLBoundary? {
        let limit = min(maximumByteCount, sink.freeCount)
        guard count > 0, limit > 0 else { return nil }
        let boundary = unsentOfFirst == 0 ? ACLBoundary.firstNonFlushable : .continuation
        if unsentOfFirst == 0 { unsentOfFirst = lengthOfFirst }
        for _ in 0..<min(limit, unsentOfFirst) {
            do throws(CapacityError) { try sink.append(storage[head]) } catch { return boundary }
            head = wrapped(head + 1)
            count -= 1
            unsentOfFirst -= 1
        }
        return boundary
    }

    private var lengthOfFirst: Int {
        (Int(storage[head]) | Int(storage[wrapped(head + 1)]) << 8) + L2CAP.headerByteCount
    }

    private mutating func push(_ value: UInt16) {
        push(UInt8(truncatingIfNeeded: value))
        push(UInt8(truncatingIfNeeded: value >> 8))
    }

    private mutating func push(_ byte: UInt8) {
        storage[wrapped(head + count)] = byte
        count += 1
    }

    private func wrapped(_ index: Int) -> Int { index >= capacity ? index - capacity : index }
}
