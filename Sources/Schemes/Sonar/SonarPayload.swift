import Cryptography
import FixedMemory

/// A phone's answer to a read, 129 bytes:
///
///     broadcast value, 108 bytes · transmit power i8
///     · time of the answer u32, big-endian, seconds since 1970
///     · the first 16 bytes of HMAC-SHA-256 over all that, under the installation's secret
public struct SonarPayload: BitwiseCopyable, Equatable, Sendable {
    public static let byteCount = 129
    /// The number of bytes that the code at the end covers.
    public static let signedByteCount = 113
    /// The largest age of a payload when it is read. The original's receivers did not check it, so they
    /// accepted a replay until midnight.
    public static let toleranceSeconds: UInt64 = 600

    public let broadcast: SonarBroadcastValue
    public let txPowerDBm: Int8
    public let transmissionSeconds: UInt32
    public let auth: Bytes<16>

    /// Signs a broadcast value for one answer.
    public init(
        _ broadcast: SonarBroadcastValue, txPowerDBm: Int8, transmissionSeconds: UInt32, secret: Bytes<32>
    ) throws(SonarRefusal) {
        let signed = Self.signed(broadcast.bytes, txPowerDBm, transmissionSeconds)
        self.init(
            broadcast, txPowerDBm, transmissionSeconds,
            auth: try Self.auth(of: signed.span, secret: secret))
    }

    /// - Throws: `.wrongLength` unless there are 129 bytes, `.invalidPublicKey`.
    public init(parsing bytes: Span<UInt8>) throws(SonarRefusal) {
        guard bytes.count == Self.byteCount else { throw .wrongLength }
        try self.init(
            try SonarBroadcastValue(parsing: bytes.extracting(0..<108)), rest: bytes.extracting(108..<129))
    }

    /// - Parameter rest: The bytes that follow the broadcast value.
    /// - Throws: `.wrongLength` unless there are 21 bytes.
    public init(_ broadcast: SonarBroadcastValue, rest: Span<UInt8>) throws(SonarRefusal) {
        guard rest.count == 21, let auth = Bytes<16>(rest.extracting(5..<21)) else { throw .wrongLength }
        var time: UInt32 = 0
        for index in 1..<5 { time = time << 8 | UInt32(rest[index]) }
        self.init(broadcast, Int8(bitPattern: rest[0]), time, auth: auth)
    }

    /// Makes a payload of the fields of an upload.
    public init(
        _ broadcast: SonarBroadcastValue, _ txPowerDBm: Int8, _ transmissionSeconds: UInt32, auth: Bytes<16>
    ) {
        self.broadcast = broadcast
        self.txPowerDBm = txPowerDBm
        self.transmissionSeconds = transmissionSeconds
        self.auth = auth
    }

    /// The first 113 bytes.
    public var signed: Bytes<113> { Self.signed(broadcast.bytes, txPowerDBm, transmissionSeconds) }

    public var encoded: Bytes<129> {
        var bytes = Bytes<129>()
        let signed = signed
        for index in 0..<113 { bytes[index] = signed[index] }
        for index in 0..<16 { bytes[113 + index] = auth[index] }
        return bytes
    }

    /// Whether the payload can have been made just now, as far as a receiver without a key can tell.
    public func isFresh(
        observedAt unixSeconds: UInt64, toleranceSeconds: UInt64 = toleranceSeconds
    ) -> Bool {
        let made = UInt64(transmissionSeconds)
        return (made > unixSeconds ? made - unixSeconds : unixSeconds - made) <= toleranceSeconds
    }

    /// - Throws: `.authMismatch` unless the installation with this secret made the payload.
    public func verify(
        secret: Bytes<32>,
        by primitives: borrowing some SonarPrimitives & ~Copyable = SonarBoardPrimitives()
    ) throws(SonarRefusal) {
        guard try Self.auth(of: signed.span, secret: secret, by: primitives) == auth else {
            throw .authMismatch
        }
    }

    /// The authentication code over 113 bytes.
    public static func auth(
        of signed: Span<UInt8>, secret: Bytes<32>,
        by primitives: borrowing some SonarPrimitives & ~Copyable = SonarBoardPrimitives()
    ) throws(SonarRefusal) -> Bytes<16> {
        let code = try primitives.code(of: signed, secret: secret)
        return Bytes(code.span.extracting(0..<16)) ?? Bytes()
    }

    /// The 113 signed bytes for any broadcast value, even one without a valid point.
    public static func signed(
        _ broadcast: Bytes<108>, _ txPowerDBm: Int8, _ transmissionSeconds: UInt32
    ) -> Bytes<113> {
        var bytes = FixedBuffer<113>()
        do throws(CapacityError) {
            try bytes.append(broadcast)
            try bytes.append(txPowerDBm)
            try bytes.append(bigEndian: transmissionSeconds)
        } catch {}  // 113 bytes fit
        return Bytes(bytes.span) ?? Bytes()
    }
}
