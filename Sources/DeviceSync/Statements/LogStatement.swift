import Cryptography
import FixedMemory

/// A board's statement about its log, over the client's nonce and signed with the board key. It states which
/// log it is, how far it extends, and how much of it has been acknowledged. It has 85 bytes;
/// docs/sync-protocol.md has the table.
public struct LogStatement: BitwiseCopyable, Equatable, Sendable {
    public static let byteCount = 85
    public static let version: UInt8 = 1

    public var logIdentity = Bytes<16>()
    public var bootIdentifier: UInt64 = 0
    /// The client's nonce.
    public var nonce = Bytes<16>()
    /// The oldest segment; the board has nothing before it.
    public var oldestSegmentOrdinal: UInt32 = 0
    /// The end of the log's last page; `chainValue` is the hash chain's value there.
    public var head = SyncPosition()
    public var chainValue = Bytes<16>()
    /// The position up to which a client has acknowledged the log as safely stored elsewhere.
    public var acknowledgedThrough = SyncPosition()
    /// The time of the statement on the board's monotonic clock.
    public var instant = Instant.start

    public init() {}

    /// - Throws: `.unknownVersion`, or `.malformed` for any other length.
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
            instant = Instant(milliseconds: try reader.readUInt64())
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
            try bytes.append(littleEndian: instant.milliseconds)
        } catch {
            preconditionFailure("the fields make 85 bytes")
        }
        return Bytes<85>(bytes.span) ?? Bytes()
    }

    /// Returns the digest that the board key signs: SHA-256("tabard manifest 1" ‖ the statement).
    public static func digest(of statement: Span<UInt8>) -> Bytes<32> {
        var purpose = FixedBuffer<17>()
        try? purpose.append("tabard manifest 1" as StaticString)
        var hash = SHA256()
        hash.update(purpose.span)
        hash.update(statement)
        return hash.finish()
    }
}

/// The reason why bytes are not a valid statement.
public enum LogStatementError: Error, Equatable, Sendable {
    case malformed
    case unknownVersion(UInt8)
}
