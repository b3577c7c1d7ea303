import Cryptography
import FixedMemory

/// The record of a registration that the authority gives a board, in transfer and in the board's memory: 127
/// bytes (docs/keys.md).
///
///     "TABARDSO" · version 1 · installation, 16 bytes of a UUID · secret, 32 bytes
///     · the authority's public key, x and y, 64 bytes · country u16
///     · CRC-32 of all before it u32, both big-endian
public enum SonarRegistrationRecord {
    public static let byteCount = 127
    private static let magic: StaticString = "TABARDSO"
    private static let version: UInt8 = 1

    public static func encode(_ registration: SonarRegistration) -> Bytes<127> {
        var record = FixedBuffer<127>()
        let point = registration.authorityKey.x963
        do throws(CapacityError) {
            try record.append(magic)
            try record.append(version)
            try record.append(registration.installation)
            try record.append(registration.secret)
            try record.append(point.span.extracting(1..<65))
            try record.append(bigEndian: registration.country)
            try record.append(bigEndian: CRC32.checksum(of: record.span))
        } catch {}  // 127 bytes fit
        return Bytes<127>(record.span) ?? Bytes()
    }

    /// - Returns: nil for other bytes, for a damaged record, or if the authority's key is not a point of the
    ///   curve.
    public static func decode(_ record: Span<UInt8>) -> SonarRegistration? {
        guard record.count == byteCount, record.extracting(0..<8).isEqual(to: magic), record[8] == version,
            CRC32.checksum(of: record.extracting(0..<123)) == record.loadUInt32(at: 123).byteSwapped
        else { return nil }
        guard let installation = Bytes<16>(record.extracting(9..<25)),
            let secret = Bytes<32>(record.extracting(25..<57)),
            let authorityKey = try? P256PublicKey(coordinates: record.extracting(57..<121))
        else { return nil }
        return SonarRegistration(
            installation: installation, secret: secret, authorityKey: authorityKey,
            country: record.loadUInt16(at: 121).byteSwapped)
    }
}
