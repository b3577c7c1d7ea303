import FixedMemory

/// A response under construction that never exceeds the MTU: bytes that do not fit are dropped.
struct BoundedAnswer: BitwiseCopyable {
    private(set) var buffer = ATTBuffer()
    private let limit: Int

    init(mtu: Int) { limit = min(mtu, ATT.maximumMTU) }

    var count: Int { buffer.count }
    var freeCount: Int { limit - buffer.count }

    /// Discards the contents and starts a PDU.
    mutating func begin(_ opcode: ATTOpcode) {
        buffer.removeAll()
        append(opcode.rawValue)
    }

    mutating func removeAll() { buffer.removeAll() }

    @inline(never)
    mutating func append(_ byte: UInt8) {
        guard freeCount > 0 else { return }
        do throws(CapacityError) { try buffer.append(byte) } catch {}
    }

    @inline(never)
    mutating func append(_ handle: UInt16) {
        append(UInt8(truncatingIfNeeded: handle))
        append(UInt8(truncatingIfNeeded: handle >> 8))
    }

    @inline(never)
    mutating func append(prefixOf bytes: Span<UInt8>) {
        let fitting = bytes.extracting(0..<min(bytes.count, freeCount))
        do throws(CapacityError) { try buffer.append(fitting) } catch {}
    }
}

/// The error of a refused request, and the handle that the Error Response names: 0 if it concerns no handle.
struct Refusal: Error {
    let error: ATTError
    let handle: UInt16

    init(_ error: ATTError, _ handle: UInt16) {
        self.error = error
        self.handle = handle
    }
}
