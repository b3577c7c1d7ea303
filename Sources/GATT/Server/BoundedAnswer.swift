import FixedMemory

/// A response being built. Whatever is appended, it never grows past the MTU: what does not fit is cut off.
struct BoundedAnswer: BitwiseCopyable {
    private(set) var buffer = ATTBuffer()
    private let limit: Int

    init(mtu: Int) { limit = min(mtu, ATT.maximumMTU) }

    var count: Int { buffer.count }
    var freeCount: Int { limit - buffer.count }

    /// Drops what was there and starts a PDU.
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

    mutating func append(prefixOf bytes: Span<UInt8>) {
        let fitting = bytes.extracting(0..<min(bytes.count, freeCount))
        do throws(CapacityError) { try buffer.append(fitting) } catch {}
    }
}

/// Why a request is not served, and the handle that the Error Response names: 0 when it is about none.
struct Refusal: Error {
    let error: ATTError
    let handle: UInt16

    init(_ error: ATTError, _ handle: UInt16) {
        self.error = error
        self.handle = handle
    }
}
