import Cryptography
import FixedMemory
import FlashSimulator
import Peers
import Schemes

/// Who a phone is in its scheme, as whoever reads it is told.
struct SchemePhoneIdentity {
    private enum Maker {
        case sonar(SonarMaker)
        /// Bytes that say nothing to who has not made them.
        case plain([UInt8])
    }

    private var maker: Maker
    private let entropy: SeededEntropy
    private var random: RandomStream

    init(_ scheme: LinkScheme, _ random: RandomStream) throws(CryptographyError) {
        self.random = random
        entropy = SeededEntropy(random.split("entropy"))
        switch scheme {
        case .sonar:
            maker = .sonar(
                SonarMaker(
                    try SonarRegistration(drawnFrom: random.split("registration")), txPowerDBm: 0,
                    entropy: entropy.entropy))
        case .covidTracer: maker = .plain(self.random.bytes(20))
        case .bleProximity: maker = .plain(self.random.bytes(8))
        }
    }

    /// Sonar's has the time in it, and a code over it.
    ///
    /// - Parameter unixSeconds: since 1970.
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

    /// CovidTracer's is another one with another address. Sonar's lasts for a day, BLE-Proximity's as long as its app runs.
    mutating func renew(_ scheme: LinkScheme) {
        if scheme == .covidTracer { maker = .plain(random.bytes(20)) }
    }
}

extension SonarRegistration {
    /// With an authority of its own, of which nobody has the private key.
    init(drawnFrom random: RandomStream) throws(CryptographyError) {
        var random = random
        let source = SeededEntropy(random.split("authority"))
        let authority = try P256PrivateKey(entropy: source.entropy)
        self.init(
            installation: random.bytes(), secret: random.bytes(), authorityKey: authority.publicKey)
    }
}
