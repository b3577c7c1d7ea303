import CZlib

/// The functions of zlib that zip files need.
enum Deflate {
    /// A stream never grows by a larger factor. A larger claim is refused before memory is allocated for it.
    private static let largestRatio = 1_032

    /// - Throws: `.malformed` unless all bytes form one stream with the stated unpacked length.
    static func unpack(_ packed: ArraySlice<UInt8>, byteCount: Int) throws(ZipError) -> [UInt8] {
        guard let available = UInt32(exactly: byteCount), let given = UInt32(exactly: packed.count),
            byteCount <= packed.count * Self.largestRatio
        else { throw .malformed }
        var stream = z_stream()
        // Without zlib's own header, because zip files have their own.
        let isReady = inflateInit2_(
            &stream, -MAX_WBITS, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size))
        guard isReady == Z_OK else { throw .malformed }
        defer { inflateEnd(&stream) }

        // One more than needed, because zlib rejects a null pointer.
        var target = [UInt8](repeating: 0, count: byteCount + 1)
        var source = Array(packed)
        let result = target.withUnsafeMutableBufferPointer { target in
            source.withUnsafeMutableBufferPointer { source in
                stream.next_in = source.baseAddress
                stream.avail_in = given
                stream.next_out = target.baseAddress
                stream.avail_out = available
                return inflate(&stream, Z_FINISH)
            }
        }
        guard result == Z_STREAM_END, stream.avail_in == 0, stream.avail_out == 0 else { throw .malformed }
        target.removeLast()
        return target
    }

    /// CRC-32 as in Ethernet.
    static func checksum(_ bytes: [UInt8]) -> UInt32 {
        bytes.withUnsafeBufferPointer { bytes in
            UInt32(truncatingIfNeeded: crc32_z(0, bytes.baseAddress, bytes.count))
        }
    }
}
