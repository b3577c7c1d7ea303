import Agent
import CLinux
import Configuration
import Cryptography
import FixedMemory

/// The file of the board's keys. If it does not exist, it is created with a fresh board key. A new version
/// replaces it atomically and is on the medium before `store` returns.
public struct BoardKeyFile: Sendable {
    private let path: FixedText<256>

    public init(path: FixedText<256>) { self.path = path }

    /// - Parameter entropy: A source that is ready; `LinuxRandom` has waited for it.
    public func load(entropy: Entropy) throws(BoardKeyFileError) -> BoardKeys {
        var size: Int64 = 0
        let descriptor = path.withCString { clinux_open_private($0, &size) }
        if descriptor == -CLINUX_ENOENT { return try make(entropy: entropy) }
        guard descriptor != -CLINUX_EBADMSG else { throw .notPrivate }
        guard descriptor >= 0 else { throw .cannotOpen(-descriptor) }
        defer { _ = clinux_close(descriptor) }
        // The buffer is one byte longer than the longest record, so that a file that is too long is detected.
        var record = Bytes<177>()
        defer { record.wipe() }
        var bytes = record.mutableSpan
        let count = bytes.withUnsafeMutableBytes { clinux_read_at(descriptor, $0.baseAddress, $0.count, 0) }
        guard count >= 0 else { throw .cannotRead(Int32(truncatingIfNeeded: -count)) }
        do throws(BoardKeyRecordError) {
            return try BoardKeyRecord.decode(
                record.span.extracting(0..<Int(truncatingIfNeeded: count)), entropy: entropy)
        } catch {
            throw .record(error)
        }
    }

    public func store(_ keys: BoardKeys) throws(BoardKeyFileError) {
        var record = BoardKeyRecord.encode(keys)
        defer { record.wipe() }
        let bytes = record.span
        let status = path.withCString { path in
            bytes.withUnsafeBytes { clinux_make_private(path, $0.baseAddress, $0.count) }
        }
        guard status >= 0 else { throw .cannotMake(-status) }
    }

    private func make(entropy: Entropy) throws(BoardKeyFileError) -> BoardKeys {
        let keys: BoardKeys
        do throws(CryptographyError) { keys = try BoardKeys(entropy: entropy) } catch { throw .noKey }
        try store(keys)
        return keys
    }
}

public enum BoardKeyFileError: Error, BitwiseCopyable, Equatable, Sendable {
    case cannotOpen(Int32)
    case cannotRead(Int32)
    case cannotMake(Int32)
    /// Others than the owner may read the file, or it is not a plain file.
    case notPrivate
    case record(BoardKeyRecordError)
    case noKey
}
