/// The part of a file that has arrived and is not parsed yet.
///
/// Offsets count from the first byte that is not parsed. A reader must check ``count`` before it looks at
/// bytes.
struct ByteWindow {
    private var bytes: [UInt8] = []
    private var start = 0
    /// The offset of the first byte that is not parsed, in the file.
    private(set) var fileOffset: UInt64 = 0
    /// The number of bytes that have not arrived yet and will be discarded.
    private var pendingSkip: UInt64 = 0
    /// Whether the file has no more bytes.
    private(set) var isComplete = false

    /// The number of bytes that have arrived and are not parsed.
    var count: Int { bytes.count - start }

    /// Whether the file has ended within a record.
    var endsWithinRecord: Bool { isComplete && (count > 0 || pendingSkip > 0) }

    mutating func append(_ more: ArraySlice<UInt8>) {
        let skipped = Int(min(pendingSkip, UInt64(more.count)))
        pendingSkip -= UInt64(skipped)
        fileOffset &+= UInt64(skipped)
        bytes.removeFirst(start)
        start = 0
        bytes += more.dropFirst(skipped)
    }

    mutating func complete() { isComplete = true }

    subscript(offset: Int) -> UInt8 { bytes[start + offset] }

    func bytes(at offset: Int, count: Int) -> ArraySlice<UInt8> {
        bytes[start + offset..<start + offset + count]
    }

    /// At most this many of the first bytes.
    func prefix(_ maximum: Int) -> ArraySlice<UInt8> { bytes(at: 0, count: min(count, maximum)) }

    func uint16(at offset: Int, _ order: ByteOrder) -> UInt16 { order.number(bytes(at: offset, count: 2)) }
    func uint32(at offset: Int, _ order: ByteOrder) -> UInt32 { order.number(bytes(at: offset, count: 4)) }
    func uint64(at offset: Int, _ order: ByteOrder) -> UInt64 { order.number(bytes(at: offset, count: 8)) }

    /// Marks bytes as parsed, also those that have not arrived yet.
    mutating func skip(_ byteCount: Int) {
        let taken = min(byteCount, count)
        start += taken
        fileOffset &+= UInt64(taken)
        pendingSkip += UInt64(byteCount - taken)
    }
}
