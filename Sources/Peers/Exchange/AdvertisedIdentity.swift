import EncounterLog
import FixedMemory
import Schemes

/// An identity of at most 20 bytes that a peer's adverts carry, so that the agent need not connect.
public struct AdvertisedIdentity: BitwiseCopyable, Equatable, Sendable {
    public let scheme: SchemeCode
    private let byteCount: UInt8
    private let room: Bytes<20>

    /// Nil for more than 20 bytes, or none.
    public init?(_ scheme: SchemeID, _ bytes: Span<UInt8>) {
        guard !bytes.isEmpty, bytes.count <= 20 else { return nil }
        var room = Bytes<20>()
        for index in bytes.indices { room[index] = bytes[index] }
        self.scheme = SchemeCode(scheme)
        self.room = room
        byteCount = UInt8(truncatingIfNeeded: bytes.count)
    }

    /// The bytes in the log's form.
    public var bytes: FixedBuffer<512> {
        FixedBuffer(room.span.extracting(first: Int(byteCount))) ?? FixedBuffer()
    }
}

/// The identity that a peer advertised last. It lies apart from the peers, because no Herald report reads
/// it.
struct AdvertisedRecord: BitwiseCopyable {
    /// The key of the peer that this belongs to.
    var key: UInt64
    var identity: AdvertisedIdentity
    /// The ledger accepts another identity from this time on.
    var nextChange: Instant
}
