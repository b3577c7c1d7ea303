import Cryptography
import FixedMemory

/// NHSX's Sonar: identities that look like noise to everyone but the authority. The authority publishes
/// nothing. A person who has fallen ill uploads observed payloads, and the authority resolves them
/// (``SonarResolver``).
public enum Sonar: Scheme {
    /// The United Kingdom's ISO 3166-1 number, which both apps send.
    public static let unitedKingdom: UInt16 = 826

    /// The answer to a read at this instant. If the period has no broadcast value yet, this call makes it,
    /// which takes as long as two multiplications on the curve. ``SonarBroadcastJob`` makes it in slices
    /// beforehand.
    public static func identity(
        at unixSeconds: UInt64, by maker: inout SonarMaker
    ) throws(SonarRefusal) -> Timed<SonarPayload> {
        guard let now = UInt32(exactly: unixSeconds) else { throw .noTime }
        let broadcast = try broadcastValue(at: unixSeconds, by: &maker)
        let payload = try SonarPayload(
            broadcast.identity, txPowerDBm: maker.txPowerDBm, transmissionSeconds: now,
            secret: maker.registration.secret)
        return Timed(payload, broadcast.validity)
    }

    private static func broadcastValue(
        at unixSeconds: UInt64, by maker: inout SonarMaker
    ) throws(SonarRefusal) -> Timed<SonarBroadcastValue> {
        if let current = maker.current, current.validity.contains(unixSeconds) { return current }
        var job = try SonarBroadcastJob(maker, at: unixSeconds)
        while try !job.advance() {}
        guard let value = job.value else { throw .cryptography }
        maker.current = value
        return value
    }

    public static func read(_ bytes: Span<UInt8>) throws(SonarRefusal) -> SonarPayload {
        try SonarPayload(parsing: bytes)
    }
}

/// The data that a device got from the authority at registration.
public struct SonarRegistration: BitwiseCopyable, Sendable {
    /// The UUID's 16 bytes.
    public let installation: Bytes<16>
    /// The secret that signs payloads and requests.
    public let secret: Bytes<32>
    public let authorityKey: P256PublicKey
    /// The authority's country: ISO 3166-1 numeric.
    public let country: UInt16

    public init(
        installation: Bytes<16>, secret: Bytes<32>, authorityKey: P256PublicKey,
        country: UInt16 = Sonar.unitedKingdom
    ) {
        self.installation = installation
        self.secret = secret
        self.authorityKey = authorityKey
        self.country = country
    }
}

/// A device's own identity in Sonar.
public struct SonarMaker {
    public static let secondsPerDay: UInt32 = 86_400

    public let registration: SonarRegistration
    /// A day in the original, which makes its wearer easy to track. The format allows any period; periods are
    /// counted from 1970.
    public let periodSeconds: UInt32
    public let txPowerDBm: Int8
    let entropy: Entropy
    /// The current broadcast value; may be set to the result of a job.
    public var current: Timed<SonarBroadcastValue>?

    public init(
        _ registration: SonarRegistration, periodSeconds: UInt32 = secondsPerDay, txPowerDBm: Int8,
        entropy: Entropy
    ) {
        self.registration = registration
        self.periodSeconds = periodSeconds
        self.txPowerDBm = txPowerDBm
        self.entropy = entropy
    }

    /// The hidden message of a broadcast value made at an instant: the period around it.
    func message(at unixSeconds: UInt64) throws(SonarRefusal) -> SonarMessage {
        let period = ValidityInterval(around: unixSeconds, periodSeconds: periodSeconds)
        guard let start = UInt32(exactly: period.startSeconds), let end = UInt32(exactly: period.endSeconds)
        else { throw .noTime }
        return SonarMessage(
            startSeconds: start, endSeconds: end, installation: registration.installation,
            country: registration.country)
    }
}

/// Makes a broadcast value for a period in slices, between other work: the agreement of a fresh key with the
/// authority's.
public struct SonarBroadcastJob: ~Copyable {
    private let message: SonarMessage
    private var agreement: P256AgreementJob
    public private(set) var value: Timed<SonarBroadcastValue>?

    public init(_ maker: SonarMaker, at unixSeconds: UInt64) throws(SonarRefusal) {
        try self.init(
            try maker.message(at: unixSeconds), for: maker.registration.authorityKey, entropy: maker.entropy)
    }

    public init(
        _ message: SonarMessage, for authorityKey: P256PublicKey, entropy: Entropy
    ) throws(SonarRefusal) {
        self.message = message
        agreement = try Self.agreement(with: authorityKey, entropy)
    }

    /// Does one slice; returns true when ``value`` is complete.
    @inline(never)
    public mutating func advance() throws(SonarRefusal) -> Bool {
        guard value == nil else { return true }
        guard let validity = message.validity else { throw .noTime }
        var agreed: P256Agreement?
        do throws(CryptographyError) {
            guard try agreement.advance() else { return false }
            agreed = try agreement.agreement()
        } catch {
            throw error == .noEntropy ? .noEntropy : .cryptography
        }
        guard var agreed else { return false }
        defer { agreed.wipe() }
        value = Timed(try SonarBroadcastValue(sealing: message, by: agreed), validity)
        return true
    }

    private static func agreement(
        with key: P256PublicKey, _ entropy: Entropy
    ) throws(SonarRefusal) -> P256AgreementJob {
        do throws(CryptographyError) {
            return try P256AgreementJob(with: key, entropy: entropy)
        } catch {
            throw .cryptography
        }
    }

    // Explicit, because on a board another module can only destroy a type whose deinit is declared. The
    // properties clean up themselves.
    deinit {}
}
