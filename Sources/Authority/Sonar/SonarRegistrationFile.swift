import Cryptography
import FixedMemory
import Schemes

/// What an authority gives a board when it registers, as the board keeps it: 127 bytes.
///
///     "TABARDSO" · version 1 · installation, 16 bytes of a UUID · secret, 32 bytes
///     · the authority's public key, x and y, 64 bytes · country u16 · CRC-32 of all before it u32, both big-endian
public struct SonarRegistrationFile: Sendable {
    public static let byteCount = 127
    private static let head = Array("TABARDSO".utf8) + [1]

    public let registration: SonarRegistration
    /// ISO 3166-1 numeric.
    public let country: UInt16

    public init(_ registration: SonarRegistration, country: UInt16 = Sonar.unitedKingdom) {
        self.registration = registration
        self.country = country
    }

    /// Nil for anything else, for what is damaged, and where the authority's key is no point of the curve.
    public init?(parsing bytes: [UInt8]) {
        guard bytes.count == Self.byteCount, bytes.starts(with: Self.head),
            Self.bigEndian(Deflate.checksum(Array(bytes[..<123]))) == Array(bytes[123...]),
            let installation = Bytes<16>(Array(bytes[9..<25])), let secret = Bytes<32>(Array(bytes[25..<57]))
        else { return nil }
        let point = [4] + bytes[57..<121]
        guard let authorityKey = try? P256PublicKey(x963: point.span) else { return nil }
        registration = SonarRegistration(
            installation: installation, secret: secret, authorityKey: authorityKey)
        country = UInt16(bytes[121]) << 8 | UInt16(bytes[122])
    }

    public var encoded: [UInt8] {
        var bytes = Self.head
        bytes += registration.installation.array
        bytes += registration.secret.array
        bytes += registration.authorityKey.x963.array.dropFirst()
        bytes += Self.bigEndian(country)
        return bytes + Self.bigEndian(Deflate.checksum(bytes))
    }

    private static func bigEndian(_ value: some FixedWidthInteger) -> [UInt8] {
        withUnsafeBytes(of: value.bigEndian) { [UInt8]($0) }
    }
}
