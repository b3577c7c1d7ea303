import FixedMemory

/// Reassembles the ACL fragments of one link into L2CAP PDUs of up to 517 bytes of payload. It drops and
/// counts PDUs that are too long, incomplete, or do not match their length.
public struct L2CAPReassembler: BitwiseCopyable {
    private enum State: BitwiseCopyable { case idle, collecting, complete, skipping }

    public private(set) var buffer = FixedBuffer<521>()
    private var state = State.idle

    /// The number of PDUs that could not be reassembled, and of stray continuations.
    public private(set) var droppedCount: UInt32 = 0

    public init() {}

    /// Processes the data of one ACL packet, which may be empty.
    /// - Returns: Whether a PDU is now complete; ``channel`` and ``payload`` hold it until the next call.
    public mutating func receive(_ fragment: Span<UInt8>, boundary: ACLBoundary) -> Bool {
        switch boundary {
        case .firstNonFlushable, .firstFlushable:
            if state == .collecting { droppedCount &+= 1 }
            buffer.removeAll()
            state = .collecting
        case .continuation:
            if state == .skipping { return false }
            guard state == .collecting else { return drop() }
        case .wholeFlushable:
            return drop()
        }
        do throws(CapacityError) { try buffer.append(fragment) } catch { return drop() }
        guard let byteCount = announcedByteCount else { return false }
        guard buffer.count <= byteCount, byteCount <= 521 else { return drop() }
        guard buffer.count == byteCount else { return false }
        state = .complete
        return true
    }

    /// The channel of the complete PDU, which may be unknown.
    public var channel: UInt16 { buffer.count >= 4 ? UInt16(buffer[2]) | UInt16(buffer[3]) << 8 : 0 }

    /// The complete PDU without its header; empty if there is none.
    public var payload: Span<UInt8> {
        @_transparent @_lifetime(borrow self) get {
            let span = buffer.span
            return span.extracting(min(L2CAP.headerByteCount, span.count)..<span.count)
        }
    }

    /// The length of the whole PDU with its header; nil until both bytes of the length have arrived.
    private var announcedByteCount: Int? {
        guard buffer.count >= 2 else { return nil }
        return (Int(buffer[0]) | Int(buffer[1]) << 8) + L2CAP.headerByteCount
    }

    /// Drops the PDU. Its remaining fragments are skipped and not counted again.
    private mutating func drop() -> Bool {
        droppedCount &+= 1
        buffer.removeAll()
        state = .skipping
        return false
    }
}
