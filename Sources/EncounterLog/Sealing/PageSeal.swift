import Cryptography
import FixedMemory

/// AES-256-GCM over a page's entries. Each key seals one page, so the nonce is all zero. The seal also
/// authenticates the position and everything in front of the entries.
enum PageSeal {
    static let tagByteCount = 16

    static func seal(
        _ entries: inout MutableSpan<UInt8>, key: Bytes<32>, prefix: Span<UInt8>, at position: LogPosition
    ) throws(CryptographyError) -> Bytes<16> {
        var cipher = try AESGCM(key: key.span)
        defer { cipher.wipe() }
        let additional = try additional(prefix, position)
        return try cipher.seal(&entries, nonce: Bytes<12>().span, authenticating: additional.span)
    }

    /// Decrypts in place. Throws `.authenticationFailed` if anything differs from what was sealed.
    static func open(
        _ entries: inout MutableSpan<UInt8>, tag: Bytes<16>, key: Bytes<32>, prefix: Span<UInt8>,
        at position: LogPosition
    ) throws(CryptographyError) {
        var cipher = try AESGCM(key: key.span)
        defer { cipher.wipe() }
        let additional = try additional(prefix, position)
        try cipher.open(&entries, tag: tag, nonce: Bytes<12>().span, authenticating: additional.span)
    }

    /// The additional data: position (8 bytes), the header without its checksum (4), segment header and link.
    private static func additional(
        _ prefix: Span<UInt8>, _ position: LogPosition
    ) throws(CryptographyError) -> FixedBuffer<296> {
        var additional = FixedBuffer<296>()
        do throws(CapacityError) {
            try position.encode(into: &additional)
            try additional.append(prefix.extracting(0..<PageHeader.checksumOffset))
            try additional.append(prefix.extracting(PageHeader.byteCount..<prefix.count))
        } catch {
            throw .wrongLength
        }
        return additional
    }
}
