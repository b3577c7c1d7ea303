import Foundation

/// A file that is open for reading. Its name may be gone already, so that nothing stays behind.
public final class OpenedFile: Sendable {
    private let descriptor: Int32
    public let byteCount: Int

    /// - Returns: nil if it cannot be opened.
    public init?(_ path: String) {
        descriptor = open(path, O_RDONLY | O_CLOEXEC)
        var status = stat()
        guard descriptor >= 0, fstat(descriptor, &status) == 0 else {
            if descriptor >= 0 { close(descriptor) }
            return nil
        }
        byteCount = Int(status.st_size)
    }

    deinit { close(descriptor) }

    /// The bytes from an offset on, at most `count`; empty at the end.
    func bytes(at offset: Int, count: Int) -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
            filled = max(0, pread(descriptor, buffer.baseAddress, count, off_t(offset)))
        }
    }
}
