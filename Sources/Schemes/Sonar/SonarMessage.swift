import FixedMemory

/// The content of a broadcast value: its installation and validity. 26 bytes, big-endian:
///
///     start u32 · end u32 (seconds since 1970, end not included) · installation, 16 bytes of a UUID
///     · country u16
///
/// Source: nhsx/COVID-19-app-iOS-BETA at 654d3eba, nhsx/COVID-19-app-Android-BETA at ebcb3221.
public struct SonarMessage: BitwiseCopyable, Equatable, Sendable {
    public static let byteCount = 26

    public let startSeconds: UInt32
    public let endSeconds: UInt32
    public let installation: Bytes<16>
    /// ISO 3166-1 numeric; 826 is the United Kingdom.
    public let country: UInt16

    public init(startSeconds: UInt32, endSeconds: UInt32, installation: Bytes<16>, country: UInt16) {
        self.startSeconds = startSeconds
        self.endSeconds = endSeconds
        self.installation = installation
        self.country = country
    }

    /// - Throws: `.wrongLength` unless there are 26 bytes.
    public init(parsing bytes: Span<UInt8>) throws(SonarRefusal) {
        guard bytes.count == Self.byteCount else { throw .wrongLength }
        var reader = ByteReader(bytes)
        do throws(EndOfBytes) {
            startSeconds = try reader.readUInt32BigEndian()
            endSeconds = try reader.readUInt32BigEndian()
            installation = try reader.readBlock()
            country = try reader.readUInt16BigEndian()
        } catch {
            throw .wrongLength
        }
    }

    public var encoded: Bytes<26> {
        var bytes = FixedBuffer<26>()
        do throws(CapacityError) {
            try bytes.append(bigEndian: startSeconds)
            try bytes.append(bigEndian: endSeconds)
            try bytes.append(installation)
            try bytes.append(bigEndian: country)
        } catch {}  // 26 bytes fit
        return Bytes(bytes.span) ?? Bytes()
    }

    /// Nil if the end is not after the start.
    public var validity: ValidityInterval? {
        ValidityInterval(startSeconds: UInt64(startSeconds), endSeconds: UInt64(endSeconds))
    }
}
