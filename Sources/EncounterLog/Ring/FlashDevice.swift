/// A medium that is written once between erases: NOR flash, an SD card's partition, a preallocated file, or an
/// emulator. These four calls are all that the log asks of it.
///
/// The medium is a row of segments, each a row of blocks, each a row of units. Bytes of an erased segment read 0xFF. The
/// log programs whole units, each at most once between two erases of its segment, and in ascending order within it.
public protocol FlashDevice: ~Copyable {
    /// Fixed for as long as the device is open.
    var geometry: FlashGeometry { get }

    /// Fills `destination` from byte `offset` of a block on; blocks are counted over the whole medium. The log never asks
    /// for bytes beyond that block's end.
    mutating func read(
        block: Int, offset: Int, into destination: inout MutableSpan<UInt8>
    ) throws(FlashError)

    /// Writes whole units from byte `offset` of a block on, not beyond its end. After an error nothing is known of what
    /// these units hold.
    mutating func program(block: Int, offset: Int, from bytes: Span<UInt8>) throws(FlashError)

    /// Makes every byte of a segment 0xFF. After an error nothing is known of what the segment holds.
    mutating func erase(segment: Int) throws(FlashError)

    /// Returns when everything programmed and erased before would survive a power cut. After an error nothing is known of
    /// what was changed since the last sync, but a read gives what a power cut would leave: a page that only a cache holds
    /// looks like one that was synced, and would be handed out.
    mutating func sync() throws(FlashError)
}

/// What a flash device reports when a call failed.
public struct FlashError: Error, Equatable, BitwiseCopyable, Sendable {
    public enum Operation: UInt8, BitwiseCopyable, Sendable {
        case read, program, erase, sync
    }

    public let operation: Operation
    /// The platform's own number for the reason (errno on Linux), 0 if it gave none.
    public let code: Int32

    public init(_ operation: Operation, code: Int32) {
        self.operation = operation
        self.code = code
    }
}
