/// The medium of a log: flash, an SD card's partition, a preallocated file, or an emulator. The log needs
/// only these four calls.
///
/// The medium is a row of segments, each a row of blocks, each a row of units. Bytes of an erased segment
/// read 0xFF. The log programs whole units, in ascending order within a segment. It programs each unit at
/// most once between two erasures of its segment, unless the medium is overwritable.
public protocol FlashDevice: ~Copyable {
    /// Constant while the device is open.
    var geometry: FlashGeometry { get }

    /// Whether units can be programmed without an erasure, as on a file or a block device.
    ///
    /// On such a medium the log begins a segment over the slot's previous one, and erases only what must
    /// disappear. Ignored if units are smaller than blocks.
    var isOverwritable: Bool { get }

    /// Fills `destination` from byte `offset` of a block on; blocks are counted over the whole medium. The
    /// log never reads beyond that block's end.
    mutating func read(
        block: Int, offset: Int, into destination: inout MutableSpan<UInt8>
    ) throws(FlashError)

    /// Writes whole units from byte `offset` of a block on, never beyond its end. After an error the contents
    /// of these units are unknown.
    mutating func program(block: Int, offset: Int, from bytes: Span<UInt8>) throws(FlashError)

    /// Sets every byte of a segment to 0xFF. After an error the segment's contents are unknown.
    mutating func erase(segment: Int) throws(FlashError)

    /// Returns once everything programmed and erased before would survive a power cut.
    ///
    /// After an error nothing is known of the changes since the last sync, but reads must return what a power
    /// cut would leave. Otherwise a page that exists only in a cache would look synced, and be served.
    mutating func sync() throws(FlashError)
}

extension FlashDevice where Self: ~Copyable {
    /// False, as for flash.
    public var isOverwritable: Bool { false }
}

/// A failed call of a flash device.
public struct FlashError: Error, Equatable, BitwiseCopyable, Sendable {
    public enum Operation: UInt8, BitwiseCopyable, Sendable {
        case read, program, erase, sync
    }

    public let operation: Operation
    /// The platform's error number (errno on Linux); 0 if it gave none.
    public let code: Int32

    public init(_ operation: Operation, code: Int32) {
        self.operation = operation
        self.code = code
    }
}
