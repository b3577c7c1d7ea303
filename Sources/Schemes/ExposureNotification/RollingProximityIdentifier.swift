import FixedMemory

/// The identifier that a phone uses for ten minutes (RPI): 16 bytes, meaningless until their key is
/// published.
public struct RollingProximityIdentifier: BitwiseCopyable, Equatable, Sendable {
    public let bytes: Bytes<16>

    public init(_ bytes: Bytes<16>) { self.bytes = bytes }
}

/// The metadata that accompany an identifier (AEM): 4 bytes that only its key decrypts. Nothing proves that
/// they are unchanged.
public struct AssociatedEncryptedMetadata: BitwiseCopyable, Equatable, Sendable {
    public let bytes: Bytes<4>

    public init(_ bytes: Bytes<4>) { self.bytes = bytes }
}

/// Decrypted metadata.
public struct AssociatedMetadata: BitwiseCopyable, Equatable, Sendable {
    /// Bits 7 and 6 of the first byte: major version; 5 and 4: minor version; 3 and 2, from version 1.1 on:
    /// confidence in the sender's calibration. The second byte: transmit power. The others are reserved.
    public let bytes: Bytes<4>

    public init(_ bytes: Bytes<4>) { self.bytes = bytes }

    public init(majorVersion: UInt8, minorVersion: UInt8, calibrationConfidence: UInt8, txPowerDBm: Int8) {
        var bytes = Bytes<4>()
        bytes[0] = (majorVersion & 3) << 6 | (minorVersion & 3) << 4 | (calibrationConfidence & 3) << 2
        bytes[1] = UInt8(bitPattern: txPowerDBm)
        self.bytes = bytes
    }

    public var majorVersion: UInt8 { bytes[0] >> 6 }
    public var minorVersion: UInt8 { bytes[0] >> 4 & 3 }
    public var calibrationConfidence: UInt8 { bytes[0] >> 2 & 3 }
    public var txPowerDBm: Int8 { Int8(bitPattern: bytes[1]) }
}

/// An identifier with its metadata, as transmitted together: 20 bytes of service data FD6F.
public struct ExposureNotificationIdentity: BitwiseCopyable, Equatable, Sendable {
    public static let byteCount = 20

    public let identifier: RollingProximityIdentifier
    public let metadata: AssociatedEncryptedMetadata

    public init(identifier: RollingProximityIdentifier, metadata: AssociatedEncryptedMetadata) {
        self.identifier = identifier
        self.metadata = metadata
    }

    /// - Throws: `.wrongLength` unless there are 20 bytes.
    public init(parsing serviceData: Span<UInt8>) throws(ExposureNotificationError) {
        guard serviceData.count == Self.byteCount, let identifier = Bytes<16>(serviceData.extracting(0..<16)),
            let metadata = Bytes<4>(serviceData.extracting(16..<20))
        else { throw .wrongLength }
        self.identifier = RollingProximityIdentifier(identifier)
        self.metadata = AssociatedEncryptedMetadata(metadata)
    }

    /// The whole advert: flags 1A, service FD6F, its data. 31 bytes.
    public var advert: Bytes<31> {
        var advert = FixedBuffer<31>()
        do throws(CapacityError) {
            try advert.append(littleEndian: UInt32(0x031a_0102))
            try advert.append(littleEndian: UInt32(0x17fd_6f03))
            try advert.append(littleEndian: UInt16(0x6f16))
            try advert.append(UInt8(0xfd))
            try advert.append(identifier.bytes)
            try advert.append(metadata.bytes)
        } catch {}  // 31 bytes fit
        return Bytes(advert.span) ?? Bytes()
    }
}
