import Cryptography
import FixedMemory

/// The header of an update file. The image follows it.
///
/// 128 bytes, then the signature: "TABARDUP", format (1), flags, version (3 bytes), 3 bytes 0, architecture
/// (16 bytes, ASCII as of `uname -m`, padded with 0), byte count of the image (4 bytes, little-endian),
/// SHA-256 of the image (32 bytes), 60 bytes 0.
public struct UpdateHeader: Equatable, BitwiseCopyable, Sendable {
    public let version: Bytes<3>
    /// Whether the operator wants a version that is older than the present one.
    public let isDowngrade: Bool
    public let architecture: Bytes<16>
    public let imageByteCount: UInt32
    public let imageDigest: Bytes<32>

    /// The size of the header with its signature.
    public static let byteCount = signedByteCount + 64
    /// Larger images are refused, so that no file fills the board's medium.
    public static let largestImageByteCount: UInt32 = 1 << 20

    private static let signedByteCount = 128
    private static let magic: StaticString = "TABARDUP"
    private static let format: UInt8 = 1
    private static let downgradeFlag: UInt8 = 1

    public init(
        version: Bytes<3>, isDowngrade: Bool, architecture: Bytes<16>, imageByteCount: UInt32,
        imageDigest: Bytes<32>
    ) {
        self.version = version
        self.isDowngrade = isDowngrade
        self.architecture = architecture
        self.imageByteCount = imageByteCount
        self.imageDigest = imageDigest
    }

    /// Reads the header, without its signature.
    /// - Parameter bytes: the beginning of an update file.
    /// - Returns: nil if it is none, or one of a later format.
    public init?(_ bytes: Span<UInt8>) {
        guard bytes.count >= Self.byteCount, bytes.extracting(0..<8).isEqual(to: Self.magic),
            bytes[8] == Self.format, let version = Bytes<3>(bytes.extracting(10..<13)),
            let architecture = Bytes<16>(bytes.extracting(16..<32)),
            let digest = Bytes<32>(bytes.extracting(36..<68))
        else { return nil }
        let count = bytes.loadUInt32(at: 32)
        guard count > 0, count <= Self.largestImageByteCount else { return nil }
        self.init(
            version: version, isDowngrade: bytes[9] & Self.downgradeFlag != 0, architecture: architecture,
            imageByteCount: count, imageDigest: digest)
    }

    /// The bytes that the signature covers.
    public var signedBytes: FixedBuffer<128> {
        var bytes = FixedBuffer<128>()
        do throws(CapacityError) {
            try bytes.append(Self.magic)
            try bytes.append(Self.format)
            try bytes.append(isDowngrade ? Self.downgradeFlag : 0)
            try bytes.append(version.span)
            while bytes.count < 16 { try bytes.append(0) }
            try bytes.append(architecture.span)
            try bytes.append(littleEndian: imageByteCount)
            try bytes.append(imageDigest.span)
            while bytes.count < Self.signedByteCount { try bytes.append(0) }
        } catch {
            preconditionFailure("the header fits")
        }
        return bytes
    }

    /// The digest that the operator signs: SHA-256("tabard update 1\0" ‖ the header).
    public var digest: Bytes<32> {
        var hash = SHA256()
        var purpose = FixedBuffer<16>()
        try? purpose.append("tabard update 1\0" as StaticString)
        hash.update(purpose.span)
        let bytes = signedBytes
        hash.update(bytes.span)
        return hash.finish()
    }

    /// Whether the operator has signed the header.
    /// - Parameter bytes: the beginning of the update file.
    public func isSigned(in bytes: Span<UInt8>, by key: P256PublicKey) -> Bool {
        guard bytes.count >= Self.byteCount,
            let signature = Bytes<64>(bytes.extracting(Self.signedByteCount..<Self.byteCount))
        else { return false }
        do throws(CryptographyError) {
            try key.verify(signature, digest: digest)
            return true
        } catch {
            return false
        }
    }

    /// Whether the version is older than another.
    public func isOlder(than other: Bytes<3>) -> Bool {
        for index in 0..<3 where version[index] != other[index] { return version[index] < other[index] }
        return false
    }
}
