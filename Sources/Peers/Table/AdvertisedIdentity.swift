import EncounterLog
import FixedMemory
import Schemes

/// An identity that a peer's adverts carry, so that nobody needs to ask for it: at most 20 bytes.
public struct AdvertisedIdentity: BitwiseCopyable, Equatable, Sendable {
    public let scheme: SchemeCode
    private let byteCount: UInt8
    private let room: Bytes<20>

    /// Nil for more bytes than that, or none.
    public init?(_ scheme: SchemeID, _ bytes: Span<UInt8>) {
        guard !bytes.isEmpty, bytes.count <= 20 else { return nil }
        var room = Bytes<20>()
        for index in bytes.indices { room[index] = bytes[index] }
        self.scheme = SchemeCode(scheme)
        self.room = room
        byteCount = UInt8(truncatingIfNeeded: bytes.count)
    }

    /// As the log takes it.
    public var bytes: FixedBuffer<512> {
        FixedBuffer(room.span.extracting(first: Int(byteCount))) ?? FixedBuffer()
    }
}

/// What a peer has advertised last, in a place of its own beside the peers: no report of Herald's reads it.
struct AdvertisedRecord: BitwiseCopyable {
    /// Of the peer that this is about.
    var key: UInt64
    var identity: AdvertisedIdentity
    /// Not before this time another one.
    var nextChangeMilliseconds: UInt64
}
