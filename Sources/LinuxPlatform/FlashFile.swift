import CLinux
import Configuration
import EncounterLog

/// The storage of a log: a preallocated file, a block device, or flash as an MTD character device. In files
/// and block devices whole blocks are overwritten, and erased blocks read 0xFF as on flash.
public struct FlashFile: FlashDevice, ~Copyable {
    public let geometry: FlashGeometry
    private let descriptor: Int32
    private let isFlash: Bool

    /// Opens a device or a file; a new file gets `byteCount` bytes. Existing files and devices keep their
    /// size. Only one agent may have the medium open.
    public init(path: FixedText<256>, byteCount: UInt64) throws(FlashFileError) {
        let descriptor = path.withCString { clinux_open_medium($0) }
        guard descriptor >= 0 else { throw .cannotOpen(-descriptor) }
        do throws(FlashFileError) {
            guard clinux_lock_file(descriptor) >= 0 else { throw .inUse }
            var medium = clinux_medium()
            let described = clinux_describe_medium(descriptor, &medium)
            guard described >= 0 else { throw .cannotOpen(-described) }
            if medium.byte_count == 0 {
                let status = clinux_allocate_file(descriptor, byteCount)
                guard status >= 0 else { throw .cannotAllocate(-status) }
                medium.byte_count = byteCount
            }
            guard let geometry = Self.geometry(of: medium) else { throw .tooSmall }
            // A killed agent may have left cached pages that a failed sync did not write to the medium.
            clinux_drop_cache(descriptor)
            self.geometry = geometry
            self.descriptor = descriptor
            isFlash = medium.erase_byte_count > 0
        } catch {
            _ = clinux_close(descriptor)
            throw error
        }
    }

    /// Returns the geometry; nil if the medium has no space for two segments, or its flash type cannot hold a
    /// log.
    private static func geometry(of medium: clinux_medium) -> FlashGeometry? {
        // The size of a medium must fit an Int32; only the beginning of a larger medium is used.
        let byteCount = Int(truncatingIfNeeded: min(medium.byte_count, UInt64(Int32.max)))
        guard medium.erase_byte_count > 0 else { return FlashGeometry(fitting: byteCount) }
        let eraseByteCount = Int(medium.erase_byte_count)
        let unitByteCount = max(Int(medium.write_byte_count), smallestUnitByteCount)
        // Small sectors are erased several at a time, because a segment of a few pages would consist mostly
        // of headers.
        let sectorCount = max(1, smallestSegmentByteCount / eraseByteCount)
        let segmentByteCount = sectorCount * eraseByteCount
        let blockByteCount = max(unitByteCount, 4096)
        return FlashGeometry(
            unitByteCount: unitByteCount, blockByteCount: blockByteCount,
            blocksPerSegment: segmentByteCount / blockByteCount, segmentCount: byteCount / segmentByteCount)
    }

    /// The smallest program unit. NOR flash can write single bytes, but padding and the search for pages need
    /// a larger unit.
    private static var smallestUnitByteCount: Int { 16 }
    private static var smallestSegmentByteCount: Int { 65_536 }

    public var isOverwritable: Bool { !isFlash }

    @inline(never)
    public mutating func read(
        block: Int, offset: Int, into destination: inout MutableSpan<UInt8>
    ) throws(FlashError) {
        let start = UInt64(block * geometry.blockByteCount + offset)
        let count = destination.withUnsafeMutableBytes { bytes in
            clinux_read_at(descriptor, bytes.baseAddress, bytes.count, start)
        }
        try Self.check(.read, count, expected: destination.count)
    }

    public mutating func program(block: Int, offset: Int, from bytes: Span<UInt8>) throws(FlashError) {
        try write(.program, bytes, at: block * geometry.blockByteCount + offset)
    }

    public mutating func erase(segment: Int) throws(FlashError) {
        var offset = segment * geometry.segmentByteCount
        if isFlash {
            let status = clinux_erase_flash(descriptor, UInt64(offset), UInt64(geometry.segmentByteCount))
            if status < 0 { throw FlashError(.erase, code: -status) }
            return
        }
        let blank = InlineArray<4096, UInt8>(repeating: 0xff)
        let end = offset + geometry.segmentByteCount
        while offset < end {
            let count = min(4096, end - offset)
            try write(.erase, blank.span.extracting(0..<count), at: offset)
            offset += count
        }
    }

    public mutating func sync() throws(FlashError) {
        // A write to flash is on the medium when it returns.
        if isFlash { return }
        let status = clinux_flush_data(descriptor)
        if status < 0 {
            // After a failed write Linux marks the pages as clean, and reads return their contents until
            // power is lost.
            clinux_drop_cache(descriptor)
            throw FlashError(.sync, code: -status)
        }
    }

    private func write(_ operation: FlashError.Operation, _ bytes: Span<UInt8>, at offset: Int)
        throws(FlashError)
    {
        let count = bytes.withUnsafeBytes { bytes in
            clinux_write_at(descriptor, bytes.baseAddress, bytes.count, UInt64(offset))
        }
        try Self.check(operation, count, expected: bytes.count)
    }

    private static func check(
        _ operation: FlashError.Operation, _ count: Int64, expected: Int
    ) throws(FlashError) {
        guard count >= 0 else { throw FlashError(operation, code: Int32(truncatingIfNeeded: -count)) }
        guard count == Int64(expected) else { throw FlashError(operation, code: Int32(CLINUX_EIO)) }
    }

    deinit { _ = clinux_close(descriptor) }
}

public enum FlashFileError: Error, BitwiseCopyable, Equatable, Sendable {
    case cannotOpen(Int32)
    /// Another agent has the medium open.
    case inUse
    case cannotAllocate(Int32)
    /// The medium has no space for two segments, or its flash has an erase or program size that is not
    /// supported.
    case tooSmall
}
