import CZlib

/// Unpacks one deflated stream, or gzip streams one after another, in pieces of bounded size.
package final class Inflater {
    package enum Wrapping {
        /// As in zip files.
        case none
        case gzip
    }

    /// The data contradicts its own format or its checksum.
    package struct Damage: Error {
        package init() {}
    }

    private let wrapping: Wrapping
    /// zlib's state refers to this structure by its address, so it must not move.
    private let stream: UnsafeMutablePointer<z_stream>
    private var packed: [UInt8] = []
    /// Whether the last call filled its target, so that zlib may have more without further input.
    private var mayHaveMore = false
    /// Whether the stream has ended. Another one may follow in gzip.
    package private(set) var hasEnded = false
    private var isDamaged = false

    package static let gzipMagic: [UInt8] = [0x1f, 0x8b]
    private static let targetByteCount = 32 << 10

    package init(_ wrapping: Wrapping) throws(Damage) {
        self.wrapping = wrapping
        stream = .allocate(capacity: 1)
        stream.initialize(to: z_stream())
        let windowBits = wrapping == .none ? -MAX_WBITS : MAX_WBITS + 16
        let size = Int32(MemoryLayout<z_stream>.size)
        // A stream that is not initialised refuses every call, so nothing else needs to be checked.
        guard inflateInit2_(stream, windowBits, ZLIB_VERSION, size) == Z_OK else { throw Damage() }
    }

    deinit {
        inflateEnd(stream)
        stream.deallocate()
    }

    package func append(_ bytes: ArraySlice<UInt8>) {
        // Bytes behind the end are ignored, so they take no memory. Another gzip stream may follow it.
        let mayFollow = wrapping == .gzip && Self.gzipMagic.starts(with: packed.prefix(Self.gzipMagic.count))
        if !hasEnded || mayFollow { packed += bytes }
    }

    /// - Returns: nil if more packed bytes are needed. Bytes behind the end of the stream are ignored, as
    ///   gunzip ignores them.
    package func next() throws(Damage) -> [UInt8]? {
        while true {
            guard !isDamaged else { throw Damage() }
            if hasEnded {
                guard wrapping == .gzip, packed.starts(with: Self.gzipMagic), inflateReset(stream) == Z_OK
                else {
                    return nil
                }
                hasEnded = false
            }
            guard !packed.isEmpty || mayHaveMore else { return nil }
            let before = packed.count
            let unpacked = unpack()
            if !unpacked.isEmpty { return unpacked }
            guard packed.count < before || hasEnded || isDamaged else { return nil }
        }
    }

    private func unpack() -> [UInt8] {
        var target = [UInt8](repeating: 0, count: Self.targetByteCount)
        let status = target.withUnsafeMutableBufferPointer { target in
            packed.withUnsafeMutableBufferPointer { source in
                stream.pointee.next_in = source.baseAddress
                stream.pointee.avail_in = UInt32(clamping: source.count)
                stream.pointee.next_out = target.baseAddress
                stream.pointee.avail_out = UInt32(clamping: target.count)
                return inflate(stream, Z_NO_FLUSH)
            }
        }
        packed.removeFirst(packed.count - Int(stream.pointee.avail_in))
        target.removeLast(Int(stream.pointee.avail_out))
        mayHaveMore = stream.pointee.avail_out == 0
        switch status {
        case Z_OK, Z_BUF_ERROR: break
        case Z_STREAM_END: hasEnded = true
        // The bytes before the damage count.
        default: isDamaged = true
        }
        return target
    }
}
