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

    enum Flaw: Error {
        /// The slot does not hold a complete update with the operator's signature, for this processor, that
        /// is at least as new as the package or allowed to be older.
        case refused
        /// The system could not read or keep it now, which says nothing about it.
        case unreadable
    }

    /// - Parameter operatorKey: the key whose signature the update must have, in X9.63 form.
    init(slot: UpdateRecord.Slot, operatorKey: Bytes<65>) throws(Flaw) {
        let file = clinux_open_update(Int32(slot.rawValue))
        guard file >= 0 else { throw clinux_update_is_missing(file) ? .refused : .unreadable }
        defer { _ = clinux_close(file) }
        var start = Bytes<192>()
        var room = start.mutableSpan
        let count = room.withUnsafeMutableBytes { clinux_read_at(file, $0.baseAddress, $0.count, 0) }
        guard count >= 0 else { throw .unreadable }
        guard count == UpdateHeader.byteCount, let header = UpdateHeader(start.span),
            let key = try? P256PublicKey(x963: operatorKey.span), header.isSigned(in: start.span, by: key),
            header.architecture == Processor.name,
            header.isDowngrade || !header.isOlder(than: ProductVersion.bytes)
        else { throw .refused }
        descriptor = clinux_memory_file()
        guard descriptor >= 0 else { throw .unreadable }
        do throws(Flaw) {
            try Self.copy(file, to: descriptor, byteCount: header.imageByteCount)
            // The check is of what nobody can change any more.
            guard clinux_seal(descriptor) >= 0 else { throw .unreadable }
            guard try Self.digest(of: descriptor) == header.imageDigest else { throw .refused }
        } catch {
            _ = clinux_close(descriptor)
            throw error
        }
    }

    /// Copies the image behind the header, which must have the given length.
    private static func copy(_ file: Int32, to copy: Int32, byteCount: UInt32) throws(Flaw) {
        var piece = Bytes<4096>()
        var done = 0
        while true {
            let count = try read(&piece, of: file, at: UpdateHeader.byteCount + done)
            guard count > 0 else { break }
            done += count
            guard done <= Int(byteCount) else { throw .refused }
            let bytes = piece.span.extracting(0..<count)
            guard bytes.withUnsafeBytes({ clinux_write(copy, $0.baseAddress, $0.count) }) == count else {
                throw .unreadable
            }
        }
        guard done == Int(byteCount) else { throw .refused }
    }

    private static func digest(of copy: Int32) throws(Flaw) -> Bytes<32> {
        var hash = SHA256()
        var piece = Bytes<4096>()
        var done = 0
        while true {
            let count = try read(&piece, of: copy, at: done)
            guard count > 0 else { return hash.finish() }
            hash.update(piece.span.extracting(0..<count))
            done += count
        }
    }

    private static func read(_ piece: inout Bytes<4096>, of file: Int32, at offset: Int) throws(Flaw) -> Int {
        var room = piece.mutableSpan
        let count = room.withUnsafeMutableBytes {
            clinux_read_at(file, $0.baseAddress, $0.count, UInt64(offset))
        }
        guard count >= 0 else { throw .unreadable }
        return Int(count)
    }
}
