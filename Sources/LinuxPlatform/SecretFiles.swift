import Agent
import CLinux
import Configuration
import Cryptography
import FixedMemory
import Schemes

/// Files of secrets from which a board's identities follow: Herald's 2,048 random bytes, CovidTracer's 32, and Sonar's
/// registration. Nobody but their owner may read them. Random ones that are not there are made, and are on the medium before
/// any of it is used: an identity whose secret is lost in a power cut could never be told from a stranger's.
public enum SecretFile {
    /// - Returns: the key schedule of the secret that the file holds. The secret itself does not stay in memory.
    public static func keySchedule(
        path: FixedText<256>, epochDay: UInt32, random: inout LinuxRandom
    ) throws(SecretFileError) -> HeraldKeySchedule {
        var secret = Bytes<2048>()
        defer { secret.wipe() }
        var bytes = secret.mutableSpan
        if try !read(path, into: &bytes) { try make(path, &bytes, random: &random) }
        return HeraldKeySchedule(secret: secret.span, epochDay: epochDay)
    }

    /// - Returns: the root of CovidTracer's keys, 32 bytes.
    public static func covidTracerRoot(
        path: FixedText<256>, random: inout LinuxRandom
    ) throws(SecretFileError) -> CovidTracerRootKey {
        var secret = Bytes<32>()
        defer { secret.wipe() }
        var bytes = secret.mutableSpan
        if try !read(path, into: &bytes) { try make(path, &bytes, random: &random) }
        return CovidTracerRootKey(secret)
    }

    /// - Returns: what Sonar's authority has given this board; nil where there is no such file.
    public static func sonarRegistration(path: FixedText<256>) throws(SecretFileError) -> SonarRegistration? {
        var record = Bytes<127>()
        defer { record.wipe() }
        var bytes = record.mutableSpan
        guard try read(path, into: &bytes) else { return nil }
        guard let registration = SonarRegistrationRecord.decode(record.span) else { throw .damaged }
        return registration
    }

    /// - Returns: false where there is no such file.
    private static func read(
        _ path: FixedText<256>, into secret: inout MutableSpan<UInt8>
    ) throws(SecretFileError) -> Bool {
        var size: Int64 = 0
        let descriptor = path.withCString { clinux_open_private($0, &size) }
        if descriptor == -CLINUX_ENOENT { return false }
        guard descriptor != -CLINUX_EBADMSG else { throw .notPrivate }
        guard descriptor >= 0 else { throw .cannotOpen(-descriptor) }
        defer { _ = clinux_close(descriptor) }
        guard size == secret.count else { throw .wrongSize(size) }
        let count = secret.withUnsafeMutableBytes { clinux_read_at(descriptor, $0.baseAddress, $0.count, 0) }
        guard count >= 0 else { throw .cannotRead(Int32(truncatingIfNeeded: -count)) }
        guard count == size else { throw .wrongSize(count) }
        return true
    }

    private static func make(
        _ path: FixedText<256>, _ secret: inout MutableSpan<UInt8>, random: inout LinuxRandom
    ) throws(SecretFileError) {
        var word: UInt64 = 0
        for index in secret.indices {
            if index % 8 == 0 { word = random.next() }
            secret[index] = UInt8(truncatingIfNeeded: word)
            word >>= 8
        }
        let status = path.withCString { path in
            secret.span.withUnsafeBytes { clinux_make_private(path, $0.baseAddress, $0.count) }
        }
        guard status >= 0 else { throw .cannotMake(-status) }
    }
}

public enum SecretFileError: Error, BitwiseCopyable, Equatable, Sendable {
    case cannotOpen(Int32)
    case cannotRead(Int32)
    case cannotMake(Int32)
    /// Others than its owner may read it, or it is no plain file.
    case notPrivate
    case wrongSize(Int64)
    /// Not what it should hold.
    case damaged
}
