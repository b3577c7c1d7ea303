import Cryptography
import FixedMemory

/// The keys of an epoch's pages, one after the other. Each key serves one page, and the state it came from is
/// forgotten with it. A thief of this state can decrypt later pages of the epoch but no earlier ones.
struct PageKeys: ~Copyable {
    private var state = Bytes<32>()
    /// The number of the page whose key is next.
    private(set) var pageNumber: UInt16 = 0

    /// - Parameter secret: what the ephemeral key and the owner key agreed on.
    init(
        secret: Bytes<32>, ephemeralKey: Bytes<64>, logIdentity: Bytes<16>, segmentOrdinal: UInt32,
        epoch: UInt8
    ) throws(CryptographyError) {
        var salt = FixedBuffer<21>()
        var info = FixedBuffer<80>()
        do throws(CapacityError) {
            try salt.append(logIdentity)
            try salt.append(littleEndian: segmentOrdinal)
            try salt.append(epoch)
            try info.append("tabard log 2")
            try info.append(ephemeralKey)
        } catch {
            throw .wrongLength
        }
        var key = state.mutableSpan
        try HKDFSHA256.derive(&key, from: secret.span, salt: salt.span, info: info.span)
    }

    /// Returns the next page's key and advances the state.
    mutating func next() throws(CryptographyError) -> Bytes<32> {
        let key = try HMACSHA256.code(of: Self.label(0x01).span, key: state.span)
        state = try HMACSHA256.code(of: Self.label(0x02).span, key: state.span)
        pageNumber &+= 1
        return key
    }

    /// Skips to a later page's key.
    mutating func skip(to number: UInt16) throws(CryptographyError) {
        while pageNumber < number {
            state = try HMACSHA256.code(of: Self.label(0x02).span, key: state.span)
            pageNumber &+= 1
        }
    }

    /// Wipes the state: no page can be sealed with it any more.
    mutating func wipe() { state.wipe() }

    private static func label(_ byte: UInt8) -> Bytes<1> {
        var label = Bytes<1>()
        label[0] = byte
        return label
    }
}
