import FixedMemory

/// The send queue of one link. It holds whole L2CAP PDUs, first in, first out, and cuts them into ACL
/// fragments when the controller can take them. It stores up to `capacity` bytes, headers included.
public struct L2CAPSendQueue<let capacity: Int>: BitwiseCopyable {
    private var storage = InlineArray<capacity, UInt8>(repeating: 0)
    private var head = 0
    private var count = 0
    /// The number of unsent bytes of the first PDU; 0 if none of its bytes has been sent.
    private var unsentOfFirst = 0

    public init() {}

    public var isEmpty: Bool { count == 0 }

    public func hasRoom(forPayload byteCount: Int) -> Bool {
        byteCount + L2CAP.headerByteCount <= capacity - count
    }

    /// Appends a PDU, or nothing if it does not fit as a whole.
    public mutating func append(_ payload: Span<UInt8>, channel: L2CAPChannel) throws(CapacityError) {
        guard payload.count <= L2CAP.maximumPayloadByteCount, hasRoom(forPayload: payload.count) else {
            throw CapacityError()
        }
        push(UInt16(truncatingIfNeeded: payload.count))
        push(channel.rawValue)
        for index in payload.indices { push(payload[index]) }
    }

    /// Appends the next fragment to `sink`, limited by the free space in `sink` and by `maximumByteCount`.
    /// The latter is the controller's LE ACL data length, at least 27.
    /// - Returns: The boundary flag of the packet; nil, with nothing appended, if the queue is empty.
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
