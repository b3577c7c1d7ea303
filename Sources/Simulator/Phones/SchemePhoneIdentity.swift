import Cryptography
import FixedMemory
import FlashSimulator
import Peers
import Protocols
import Schemes

/// A phone's identity in its scheme, as its readers receive it.
struct SchemePhoneIdentity {
    private enum Maker {
        case sonar(SonarMaker)
        /// Bytes that only their maker can interpret.
        case plain([UInt8])
    }

    private var maker: Maker
    private let entropy: SeededEntropy
    private var random: RandomStream

    init(_ service: SchemeService, _ random: RandomStream) throws(CryptographyError) {
        self.random = random
        entropy = SeededEntropy(random.split("entropy"))
        if service.scheme == .sonar {
            maker = .sonar(
                SonarMaker(
                    try SonarRegistration(drawnFrom: random.split("registration")), txPowerDBm: 0,
                    entropy: entropy.entropy))
        } else {
            maker = .plain(self.random.bytes(service.byteCount))
        }
    }

    /// The identity at a time. Sonar's contains the time, and an authentication code over it.
    ///
    /// - Parameter unixSeconds: Seconds since 1970.
    mutating func answer(at unixSeconds: UInt64) -> [UInt8] {
        switch maker {
        case .plain(let bytes): return bytes
        case .sonar(var sonar):
            guard let payload = try? Sonar.identity(at: unixSeconds, by: &sonar) else { return [] }
            maker = .sonar(sonar)
            let bytes = payload.identity.encoded
            return [UInt8](bytes.span)
        }
    }

    /// Changes the identity together with the address. Only CovidTracer's changes then: Sonar's lasts for a
    /// day, and BLE-Proximity's as long as its app runs.
    mutating func renew(_ scheme: SchemeID) {
        if scheme == .covidTracer { maker = .plain(random.bytes(20)) }
    }
}

extension SonarRegistration {
    /// Draws a registration with an authority of its own, whose private key is discarded.
    init(drawnFrom random: RandomStream) throws(CryptographyError) {
        var random = random
        let source = SeededEntropy(random.split("authority"))
        let authority = try P256PrivateKey(entropy: source.entropy)
        self.init(
            installation: random.bytes(), secret: random.bytes(), authorityKey: authority.publicKey)
    }
}
