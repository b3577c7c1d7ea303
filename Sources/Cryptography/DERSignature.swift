import FixedMemory

/// An ECDSA signature in ASN.1 (SEC 1, C.5): `SEQUENCE { r INTEGER, s INTEGER }` in DER. Files carry this
/// form, and it is the only one in which mbedTLS signs and verifies in slices.
public struct DERSignature: BitwiseCopyable, Sendable {
    private static let sequence: UInt8 = 0x30
    private static let integer: UInt8 = 0x02

    public internal(set) var bytes = Bytes<72>()
    public internal(set) var count = 0

    /// An empty buffer for mbedTLS to fill.
    init() {}

    /// - Parameter signature: r and s, big-endian, 32 bytes each.
    public init(_ signature: Bytes<64>) {
        append(Self.sequence)
        append(0)
        append(integerAt: 0, of: signature)
        append(integerAt: 32, of: signature)
        bytes[1] = UInt8(truncatingIfNeeded: count - 2)
    }

    /// Parses a signature. Nil for anything but DER, which has exactly one form for each signature.
    public init?(parsing der: Span<UInt8>) {
        guard der.count <= 72 else { return nil }
        for index in der.indices { bytes[index] = der[index] }
        count = der.count
        guard let fixed, DERSignature(fixed).span.isEqual(to: der) else { return nil }
    }

    public var span: Span<UInt8> {
        @_transparent @_lifetime(borrow self) get { bytes.span.extracting(0..<count) }
    }

    /// r and s, big-endian, 32 bytes each; nil if the bytes are not two INTEGERs of at most 32 bytes in a
    /// SEQUENCE.
    public var fixed: Bytes<64>? {
        guard count >= 2, bytes[0] == Self.sequence, Int(bytes[1]) == count - 2 else { return nil }
        var signature = Bytes<64>()
        guard let middle = copyInteger(at: 2, to: 0, of: &signature),
            let end = copyInteger(at: middle, to: 32, of: &signature), end == count
        else { return nil }
        return signature
    }

    private mutating func append(_ byte: UInt8) {
        bytes[count] = byte
        count += 1
    }

    /// Appends an INTEGER without leading zeros, which DER forbids. It adds one zero before a first byte of
    /// 0x80 or more, as DER requires.
    private mutating func append(integerAt start: Int, of signature: Bytes<64>) {
        var first = start
        while first < start + 31, signature[first] == 0 { first += 1 }
        let isPadded = signature[first] >= 0x80
        append(Self.integer)
        append(UInt8(truncatingIfNeeded: start + 32 - first + (isPadded ? 1 : 0)))
        if isPadded { append(0) }
        for index in first..<start + 32 { append(signature[index]) }
    }

    /// Copies one INTEGER and returns the offset of its end; nil if it is malformed or too long.
    private func copyInteger(at start: Int, to target: Int, of signature: inout Bytes<64>) -> Int? {
        guard start + 2 <= count, bytes[start] == Self.integer else { return nil }
        let end = start + 2 + Int(bytes[start + 1])
        guard end > start + 2, end <= count else { return nil }
        var first = start + 2
        while first < end - 1, bytes[first] == 0 { first += 1 }
        guard end - first <= 32 else { return nil }
        for index in first..<end { signature[target + 32 - end + index] = bytes[index] }
        return end
    }
}
