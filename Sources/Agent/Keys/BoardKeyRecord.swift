import Cryptography
import DeviceSync
import FixedMemory

/// A board's keys as they are kept, in 176 bytes (docs/keys.md).
public enum BoardKeyRecord {
    public static let byteCount = 176

    private static let magic: StaticString = "TABARDKY"
    private static let version: UInt8 = 1
    private static let ownerKeyFlag: UInt8 = 1
    private static let operatorFlag: UInt8 = 2

    public static func encode(_ keys: BoardKeys) -> Bytes<176> {
        let (ownerKey, operatorKey) = (keys.publicHalves.ownerKey, keys.publicHalves.operatorKey)
        var record = FixedBuffer<176>()
        // All of it fits.
        try? record.append(magic)
        try? record.append(version)
        try? record.append(
            (ownerKey == nil ? 0 : ownerKeyFlag) | (operatorKey == nil ? 0 : operatorFlag))
        try? record.append(keys.boardScalar.span)
        try? record.append((ownerKey?.x963 ?? Bytes<65>()).span)
        try? record.append((operatorKey?.x963 ?? Bytes<65>()).span)
        try? record.append(bigEndian: CRC32.checksum(of: record.span))
        return Bytes<176>(record.span) ?? Bytes<176>()
    }

    public static func decode(
        _ record: Span<UInt8>, entropy: Entropy
    ) throws(BoardKeyRecordError) -> BoardKeys {
        guard record.count > 8, record.extracting(0..<8).isEqual(to: magic) else { throw .foreign }
        guard record[8] == version else { throw .unknownVersion(record[8]) }
        guard record.count == byteCount else { throw .damaged }
        let sum = CRC32.checksum(of: record.extracting(0..<172))
        for index in 0..<4
        where record[172 + index] != UInt8(truncatingIfNeeded: sum >> UInt32(24 - 8 * index)) {
            throw .damaged
        }
        guard record[9] & ~(ownerKeyFlag | operatorFlag) == 0,
            let scalar = Bytes<32>(record.extracting(10..<42))
        else { throw .damaged }
        do throws(CryptographyError) {
            return try BoardKeys(
                boardScalar: scalar,
                ownerKey: record[9] & ownerKeyFlag == 0
                    ? nil : P256PublicKey(x963: record.extracting(42..<107)),
                operatorKey: record[9] & operatorFlag == 0
                    ? nil : P256PublicKey(x963: record.extracting(107..<172)), entropy: entropy)
        } catch {
            throw .damaged
        }
    }
}

public enum BoardKeyRecordError: Error, BitwiseCopyable, Equatable, Sendable {
    /// The file does not begin like a key file.
    case foreign
    case unknownVersion(UInt8)
    case damaged
}
