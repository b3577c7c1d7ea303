import Cryptography
import DeviceSync
import FixedMemory
import Schemes

/// What a board has of its registration with Sonar's authority, as it is kept: 127 bytes (docs/keys.md).
public enum SonarRegistrationRecord {
    public static let byteCount = 127
    private static let magic: StaticString = "TABARDSO"
    private static let version: UInt8 = 1

    /// - Returns: nil for what is no such record, is damaged, or has no point of the curve for the authority's key.
    public static func decode(_ record: Span<UInt8>) -> SonarRegistration? {
        guard record.count == byteCount, record.extracting(0..<8).isEqual(to: magic), record[8] == version
        else { return nil }
        var checksum = CRC32()
        checksum.update(record.extracting(0..<123))
        guard checksum.value == record.loadUInt32(at: 123).byteSwapped else { return nil }
        var point = FixedBuffer<65>()
        do throws(CapacityError) {
            try point.append(4 as UInt8)  // 65 bytes fit
            try point.append(record.extracting(57..<121))
        } catch {}
        guard let installation = Bytes<16>(record.extracting(9..<25)),
            let secret = Bytes<32>(record.extracting(25..<57)),
            let authorityKey = try? P256PublicKey(x963: point.span)
        else { return nil }
        return SonarRegistration(
            installation: installation, secret: secret, authorityKey: authorityKey,
            country: record.loadUInt16(at: 121).byteSwapped)
    }
}
