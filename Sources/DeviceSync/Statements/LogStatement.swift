import Cryptography
import FixedMemory

/// What a board says of its log, over a nonce of who asks, and signs with its own key: which log it is, how far it goes,
/// and how much of it is known to be fetched. 85 bytes; docs/sync-protocol.md has the table.
public struct LogStatement: BitwiseCopyable, Equatable, Sendable {
    public static let byteCount = 85
    public static let version: UInt8 = 1

    public var logIdentity = Bytes<16>()
    public var bootIdentifier: UInt64 = 0
    /// Of who asked.
    public var nonce = Bytes<16>()
    /// The board has nothing before this segment.
    public var oldestSegmentOrdinal: UInt32 = 0
    /// The end of the log's last page, and the chain's value there.
    public var head = SyncPosition()
    public var chainValue = Bytes<16>()
    /// So far somebody has told the board that its log is safe elsewhere.
    public var acknowledgedThrough = SyncPosition()
    /// When it was said, on the board's clock.
    public var monotonicMilliseconds: UInt64 = 0

    public init() {}

    /// - Throws: `.unknownVersion`, or `.malformed` for another length.
    public init(_ bytes: Span<UInt8>) throws(LogStatementError) {
        guard let version = bytes.isEmpty ? nil : bytes[0] else { throw .malformed }
        guard version == Self.version else { throw .unknownVersion(version) }
        guard bytes.count == Self.byteCount else { throw .malformed }
        var reader = ByteReader(bytes.extracting(droppingFirst: 1))
        do throws(EndOfBytes) {
            logIdentity = try reader.readBlock()
            bootIdentifier = try reader.readUInt64()
            nonce = try reader.readBlock()
            oldestSegmentOrdinal = try reader.readUInt32()
            head = try SyncPosition(&reader)
            chainValue = try reader.readBlock()
            acknowledgedThrough = try SyncPosition(&reader)
            monotonicMilliseconds = try reader.readUInt64()
        } catch {
            throw .malformed
        }
    }

    public var encoded: Bytes<85> {
        var bytes = FixedBuffer<85>()
        do throws(CapacityError) {
            try bytes.append(Self.version)
            try bytes.append(logIdentity)
            try bytes.append(littleEndian: bootIdentifier)
            try bytes.append(nonce)
            try bytes.append(littleEndian: oldestSegmentOrdinal)
            try head.encode(into: &bytes)
            try bytes.append(chainValue)
            try acknowledgedThrough.encode(into: &bytes)
            try bytes.append(littleEndian: monotonicMilliseconds)
        } catch {
            preconditionFailure("the fields make 85 bytes")
        }
        return Bytes<85>(bytes.span) ?? Bytes()
    }

    /// What the board's key signs: SHA-256("tabard manifest 1" ‖ the statement).
    public static func digest(of statement: Span<UInt8>) -> Bytes<32> {
        var purpose = FixedBuffer<17>()
        try? purpose.append("tabard manifest 1" as StaticString)
        var hash = SHA256()
        hash.update(purpose.span)
        hash.update(statement)
        return hash.finish()
    }
}

/// Why bytes are no statement.
public enum LogStatementError: Error, Equatable, Sendable {
    case malformed
    case unknownVersion(UInt8)
}
