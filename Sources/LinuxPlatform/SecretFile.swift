import CLinux
import Configuration
import FixedMemory
import Schemes

/// The file of 2,048 random bytes from which all identities of a wearable follow. Nobody but its owner may read it. One
/// that is not there is made, and is on the medium before any of it is used: an identity whose secret is lost in a power
/// cut could never be told from a stranger's.
public enum SecretFile {
    /// - Returns: the key schedule of the secret that the file holds. The secret itself does not stay in memory.
    public static func keySchedule(
        path: FixedText<256>, epochDay: UInt32, random: inout LinuxRandom
    ) throws(SecretFileError) -> HeraldKeySchedule {
        var size: Int64 = 0
        let descriptor = path.withCString { clinux_open_private($0, &size) }
        if descriptor == -CLINUX_ENOENT {
            return try make(path: path, epochDay: epochDay, random: &random)
        }
        guard descriptor != -CLINUX_EBADMSG else { throw .notPrivate }
        guard descriptor >= 0 else { throw .cannotOpen(-descriptor) }
        defer { _ = clinux_close(descriptor) }
        guard size == HeraldKeySchedule.secretByteCount else { throw .wrongSize(size) }
        var secret = Bytes<2048>()
        defer { wipe(&secret) }
        var bytes = secret.mutableSpan
        let count = bytes.withUnsafeMutableBytes { clinux_read_at(descriptor, $0.baseAddress, $0.count, 0) }
        guard count >= 0 else { throw .cannotRead(Int32(truncatingIfNeeded: -count)) }
        guard count == size else { throw .wrongSize(count) }
        return HeraldKeySchedule(secret: secret.span, epochDay: epochDay)
    }

    private static func make(
        path: FixedText<256>, epochDay: UInt32, random: inout LinuxRandom
    ) throws(SecretFileError) -> HeraldKeySchedule {
        var secret = Bytes<2048>()
        defer { wipe(&secret) }
        for word in 0..<256 {
            let value = random.next()
            for index in 0..<8 {
                secret[word * 8 + index] = UInt8(
                    truncatingIfNeeded: value >> UInt64(truncatingIfNeeded: 8 * index))
            }
        }
        let status = path.withCString { path in
            secret.span.withUnsafeBytes { clinux_make_private(path, $0.baseAddress, $0.count) }
        }
        guard status >= 0 else { throw .cannotMake(-status) }
        return HeraldKeySchedule(secret: secret.span, epochDay: epochDay)
    }

    private static func wipe(_ secret: inout Bytes<2048>) {
        var bytes = secret.mutableSpan
        bytes.withUnsafeMutableBytes { clinux_wipe($0.baseAddress, $0.count) }
    }
}

public enum SecretFileError: Error, BitwiseCopyable, Equatable, Sendable {
    case cannotOpen(Int32)
    case cannotRead(Int32)
    case cannotMake(Int32)
    /// Others than its owner may read it, or it is no plain file.
    case notPrivate
    case wrongSize(Int64)
}
