import FixedMemory

/// Puts the ACL fragments of one link together to L2CAP PDUs of up to 517 bytes of payload. A PDU that is too
/// long, incomplete or does not match its length is dropped and counted.
public struct L2CAPReassembler: BitwiseCopyable {
    private enum State: BitwiseCopyable { case idle, collecting, complete, skipping }

    public private(set) var buffer = FixedBuffer<521>()
    private var state = State.idle

    /// PDUs that were not put together, and stray continuations.
    public private(set) var droppedCount: UInt32 = 0

    public init() {}

    /// Takes the data of one ACL packet, which may be empty.
    /// - Returns: whether a PDU is now complete: ``channel`` and ``payload`` hold it until the next call.
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

    /// The complete PDU's channel; not necessarily one that we know.
    public var channel: UInt16 { buffer.count >= 4 ? UInt16(buffer[2]) | UInt16(buffer[3]) << 8 : 0 }

    /// The complete PDU without its header; empty when there is none.
    public var payload: Span<UInt8> {
        @_transparent @_lifetime(borrow self) get {
            let span = buffer.span
            return span.extracting(min(L2CAP.headerByteCount, span.count)..<span.count)
        }
    }

    /// The whole PDU's length with its header, once both bytes of it are here.
    private var announcedByteCount: Int? {
        guard buffer.count >= 2 else { return nil }
        return (Int(buffer[0]) | Int(buffer[1]) << 8) + L2CAP.headerByteCount
    }

    /// What follows belongs to the dropped PDU and is not counted again.
    private mutating func drop() -> Bool {
        droppedCount &+= 1
        buffer.removeAll()
        state = .skipping
        return false
    }
}
