/// What a log stands on: flash, an SD card's partition, a preallocated file, or an emulator. These four calls are all
/// that the log asks of it.
///
/// The medium is a row of segments, each a row of blocks, each a row of units. Bytes of an erased segment read 0xFF. The
/// log programs whole units, in ascending order within a segment, and each at most once between two erases of its segment,
/// unless the medium can be overwritten.
public protocol FlashDevice: ~Copyable {
    /// Fixed for as long as the device is open.
    var geometry: FlashGeometry { get }

    /// Whether units can be programmed whatever they hold, as on a file or a block device. There the log begins a segment
    /// over what stood in its slot a round before, and erases only what is to be gone. Means nothing where units are smaller
    /// than blocks.
    var isOverwritable: Bool { get }

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

extension FlashDevice where Self: ~Copyable {
    /// As flash.
    public var isOverwritable: Bool { false }
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
