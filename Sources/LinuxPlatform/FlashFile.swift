import CLinux
import Configuration
import EncounterLog

/// A preallocated file that behaves like flash: erased bytes read 0xFF, blocks are programmed whole.
public struct FlashFile: FlashDevice, ~Copyable {
    public let geometry: FlashGeometry
    private let descriptor: Int32

    /// Opens the file, making it `byteCount` bytes long if it is new; an old one keeps its size. Only one agent may
    /// have it open.
    public init(path: FixedText<256>, byteCount: UInt64) throws(FlashFileError) {
        let descriptor = path.withCString { clinux_open_read_write($0) }
        guard descriptor >= 0 else { throw .cannotOpen(-descriptor) }
        do throws(FlashFileError) {
            guard clinux_lock_file(descriptor) >= 0 else { throw .inUse }
            var size = clinux_file_size(descriptor)
            guard size >= 0 else { throw .cannotOpen(Int32(truncatingIfNeeded: -size)) }
            if size == 0 {
                let status = clinux_allocate_file(descriptor, byteCount)
                guard status >= 0 else { throw .cannotAllocate(-status) }
                size = Int64(byteCount)
            }
            // A medium's bytes are counted in an Int32: of a longer file the beginning is used.
            let byteCount = Int(truncatingIfNeeded: min(size, Int64(Int32.max)))
            guard let geometry = FlashGeometry(fitting: byteCount) else { throw .tooSmall }
            // An agent that was killed may have left there what a failed sync did not bring to the medium.
            clinux_drop_cache(descriptor)
            self.geometry = geometry
            self.descriptor = descriptor
        } catch {
            _ = clinux_close(descriptor)
            throw error
        }
    }

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
        let blank = InlineArray<4096, UInt8>(repeating: 0xff)
        var offset = segment * geometry.segmentByteCount
        let end = offset + geometry.segmentByteCount
        while offset < end {
            let count = min(4096, end - offset)
            try write(.erase, blank.span.extracting(0..<count), at: offset)
            offset += count
        }
    }

    public mutating func sync() throws(FlashError) {
        let status = clinux_flush_data(descriptor)
        if status < 0 {
            // Linux takes pages that could not be written for clean, and reads them as they should be until power goes.
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
    /// Another agent writes to it.
    case inUse
    case cannotAllocate(Int32)
    /// It has no room for two segments.
    case tooSmall
}
