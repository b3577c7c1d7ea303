import CLinux
import Cryptography
import FixedMemory
import LinuxPlatform
import ProductVersion
import Updates

/// The image of an update in memory, checked byte for byte. Nobody can change it between the check and its
/// start.
struct UpdateImage {
    /// A file of memory with the image.
    let descriptor: Int32

    /// - Parameter operatorKey: the key whose signature the update must have, in X9.63 form.
    /// - Returns: nil if the slot holds no complete update with that signature, for this processor, that is
    ///   at least as new as the package or allowed to be older.
    init?(slot: UpdateRecord.Slot, operatorKey: Bytes<65>) {
        let file = clinux_open_update(Int32(slot.rawValue))
        guard file >= 0 else { return nil }
        defer { _ = clinux_close(file) }
        var start = Bytes<192>()
        var room = start.mutableSpan
        let count = room.withUnsafeMutableBytes { clinux_read_at(file, $0.baseAddress, $0.count, 0) }
        guard count == UpdateHeader.byteCount, let header = UpdateHeader(start.span),
            let key = try? P256PublicKey(x963: operatorKey.span), header.isSigned(in: start.span, by: key),
            Self.isOfThisProcessor(header),
            header.isDowngrade || !header.isOlder(than: ProductVersion.bytes)
        else { return nil }
        let copy = clinux_memory_file()
        guard copy >= 0 else { return nil }
        guard Self.digest(copying: file, to: copy, header.imageByteCount) == header.imageDigest else {
            _ = clinux_close(copy)
            return nil
        }
        descriptor = copy
    }

    private static func isOfThisProcessor(_ header: UpdateHeader) -> Bool {
        var name = FixedBuffer<16>()
        try? name.append(cString: clinux_architecture())
        while name.count < 16 { try? name.append(0) }
        return Bytes<16>(name.span) == header.architecture
    }

    /// Copies the image behind the header.
    /// - Returns: the digest of what was copied; nil if it is shorter, or longer, than it should be.
    private static func digest(copying file: Int32, to copy: Int32, _ byteCount: UInt32) -> Bytes<32>? {
        var hash = SHA256()
        var piece = Bytes<4096>()
        var done = 0
        while true {
            var room = piece.mutableSpan
            let offset = UInt64(UpdateHeader.byteCount + done)
            let count = room.withUnsafeMutableBytes { clinux_read_at(file, $0.baseAddress, $0.count, offset) }
            guard count > 0 else { break }
            let bytes = piece.span.extracting(0..<Int(count))
            hash.update(bytes)
            guard bytes.withUnsafeBytes({ clinux_write(copy, $0.baseAddress, $0.count) }) == count else {
                return nil
            }
            done += Int(count)
            guard done <= Int(byteCount) else { return nil }
        }
        return done == Int(byteCount) ? hash.finish() : nil
    }
}
