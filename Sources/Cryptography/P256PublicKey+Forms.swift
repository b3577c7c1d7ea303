import FixedMemory

/// The other encodings of a public key that are in use.
extension P256PublicKey {
    /// Reads a point from both coordinates, 64 bytes, big-endian.
    ///
    /// - Throws: `.wrongLength` for another number of bytes, `.invalidPublicKey` if they are not a point on
    ///   the curve.
    @inline(never)  // keeps the image small
    public init(coordinates: Span<UInt8>) throws(CryptographyError) {
        guard coordinates.count == 64 else { throw .wrongLength }
        var x963 = Bytes<65>()
        x963[0] = 4
        for index in coordinates.indices { x963[index + 1] = coordinates[index] }
        try self.init(x963: x963.span)
    }

    /// Parses the SubjectPublicKeyInfo (RFC 5480) of a P-256 key in DER: 26 constant bytes, then the point
    /// in X9.63.
    public init(subjectPublicKeyInfo bytes: Span<UInt8>) throws(CryptographyError) {
        let prefix = Self.informationPrefix
        guard bytes.count == prefix.count + 65 else { throw .wrongLength }
        guard bytes.extracting(0..<prefix.count).isEqual(to: prefix.span) else { throw .invalidPublicKey }
        try self.init(x963: bytes.extracting(droppingFirst: prefix.count))
    }

    public var subjectPublicKeyInfo: Bytes<91> {
        var information = Bytes<91>()
        let prefix = Self.informationPrefix
        for index in 0..<26 { information[index] = prefix[index] }
        for index in 0..<65 { information[26 + index] = x963[index] }
        return information
    }

    /// The compressed point (SEC 1, 2.3.3): 02 if y is even, 03 if it is odd, then x.
    public var compressed: Bytes<33> {
        var point = Bytes<33>()
        point[0] = 2 | x963[64] & 1
        for index in 1...32 { point[index] = x963[index] }
        return point
    }

    private static var informationPrefix: FixedBuffer<26> {
        let digits = KnownBytes("3059301306072a8648ce3d020106082a8648ce3d030107034200")
        return FixedBuffer(digits.span) ?? FixedBuffer()
    }
}
