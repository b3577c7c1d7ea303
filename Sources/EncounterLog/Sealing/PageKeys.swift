import Cryptography
import FixedMemory

/// The keys of an epoch's pages, one after the other. Each is good for one page, and what it came from is forgotten with
/// it: who has these keys can open pages still to come, none that were.
struct PageKeys: ~Copyable {
    private var state = Bytes<32>()
    /// Of the page whose key is next.
    private(set) var pageNumber: UInt16 = 0

    /// - Parameter secret: what the ephemeral key and the opening key agree upon.
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

    /// The next page's key.
    mutating func next() throws(CryptographyError) -> Bytes<32> {
        let key = try HMACSHA256.code(of: Self.label(0x01).span, key: state.span)
        state = try HMACSHA256.code(of: Self.label(0x02).span, key: state.span)
        pageNumber &+= 1
        return key
    }

    /// Goes on to a later page, as far as there can be one.
    mutating func skip(to number: UInt16) throws(CryptographyError) {
        while pageNumber < number {
            state = try HMACSHA256.code(of: Self.label(0x02).span, key: state.span)
            pageNumber &+= 1
        }
    }

    /// Forgets them: nothing can be sealed with them any more.
    mutating func wipe() { state.wipe() }

    private static func label(_ byte: UInt8) -> Bytes<1> {
        var label = Bytes<1>()
        label[0] = byte
        return label
    }
}
