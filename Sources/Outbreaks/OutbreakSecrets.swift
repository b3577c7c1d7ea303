import Agent
import Authority
import Cryptography
import FixedMemory
import FlashSimulator
import Schemes
import Simulator

/// The secrets that the authority and the wearers share from the beginning.
struct OutbreakSecrets: Sendable {
    /// The authority's private scalar: for Sonar, and for signing Exposure Notification's files.
    let authorityScalar: Bytes<32>
    let authorityKey: P256PublicKey
    /// The register of all wearers, in their order.
    let sonar: SonarRegister
    let roots: [CovidTracerRootKey]

    init(wearerCount: Int, seed: UInt64) throws(CryptographyError) {
        var random = RandomStream(seed: seed).split("secrets of schemes")
        // The curve's order begins with 32 ones in binary, so a scalar with another beginning is below it.
        var scalar: Bytes<32> = random.bytes()
        scalar[0] = 1
        authorityScalar = scalar
        authorityKey = try P256PrivateKey(scalar: scalar, entropy: .system).publicKey
        var register = SonarRegister()
        for _ in 0..<wearerCount {
            _ = register.register(at: Outbreak.epochSeconds, using: &random)
        }
        sonar = register
        roots = (0..<wearerCount).map { _ in CovidTracerRootKey(random.bytes()) }
    }

    func registration(of wearer: Int) -> SonarRegistration {
        SonarRegistration(
            installation: sonar.installations[wearer].identifier, secret: sonar.installations[wearer].secret,
            authorityKey: authorityKey)
    }

    func settings(of wearer: Int) -> SchemeSettings {
        var settings = SchemeSettings()
        settings.sonar = registration(of: wearer)
        return settings
    }
}
