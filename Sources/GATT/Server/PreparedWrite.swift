import FixedMemory

/// The queue of a long write: the parts of Prepare Write Requests, merged, until Execute Write.
///
/// Bluetooth Core 5.4, Vol 3, Part F, 3.4.6. Missing bytes are only reported at Execute Write, as the
/// specification requires.
struct PreparedWrite: BitwiseCopyable {
    /// The attribute that is being written; 0 if nothing is queued.
    private(set) var handle: UInt16 = 0
    private(set) var value = AttributeValue()
    private(set) var hasGap = false

    /// - Throws: Prepare Queue Full for a second attribute, or for more bytes than a value can have.
    mutating func append(_ part: Span<UInt8>, at offset: Int, handle newHandle: UInt16) throws(ATTError) {
        guard handle == 0 || handle == newHandle else { throw .prepareQueueFull }
        guard offset <= value.count, !hasGap else {
            handle = newHandle
            hasGap = true
            return
        }
        let overwritten = min(value.count - offset, part.count)
        let rest = part.extracting(overwritten..<part.count)
        guard rest.count <= value.freeCount else { throw .prepareQueueFull }
        handle = newHandle
        for index in 0..<overwritten { value[offset + index] = part[index] }
        do throws(CapacityError) { try value.append(rest) } catch { throw .prepareQueueFull }
    }

    mutating func removeAll() {
        handle = 0
        value.removeAll()
        hasGap = false
    }
}
