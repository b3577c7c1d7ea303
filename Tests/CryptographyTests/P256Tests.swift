import Cryptography
import FixedMemory
import TestSupport
import Testing

@Suite struct P256Tests {
    @Test func `an agreement has the published secrets`() throws {
        for vector in try CryptographyVectors.load().p256Agreement {
            var key = try P256PrivateKey(scalar: Bytes<32>(hex: vector.scalar), entropy: .system)
            #expect(key.publicKey.x963.hex == vector.publicKey, "\(vector.source)")
            let peer = try P256PublicKey(x963: [UInt8](hex: vector.peer).span)
            #expect(
                try key.sharedSecret(with: peer, entropy: .system).hex == vector.secret, "\(vector.source)")
            #expect(try key.scalarBytes().hex == vector.scalar)
        }
    }

    @Test func `a key makes the published signatures`() throws {
        for vector in try CryptographyVectors.load().p256Signature {
            var key = try P256PrivateKey(scalar: Bytes<32>(hex: vector.scalar), entropy: .system)
            #expect(key.publicKey.x963.hex == vector.publicKey)
            let digest = SHA256.digest(of: [UInt8](hex: vector.message).span)
            let signature = try key.sign(digest: digest, entropy: .system)
            #expect(signature.hex == vector.signature, "\(vector.source)")
            try key.publicKey.verify(signature, digest: digest)
        }
    }

    @Test func `signatures of other digests and changed signatures are refused`() throws {
        var key = try P256PrivateKey(entropy: .system)
        let digest = SHA256.digest(of: [1].span)
        let signature = try key.sign(digest: digest, entropy: .system)
        let publicKey = key.publicKey
        #expect(throws: CryptographyError.authenticationFailed) {
            try publicKey.verify(signature, digest: SHA256.digest(of: [2].span))
        }
        for byte in 0..<64 {
            var changed = signature
            changed[byte] ^= 0x10
            #expect(throws: CryptographyError.authenticationFailed) {
                try publicKey.verify(changed, digest: digest)
            }
        }
        #expect(throws: CryptographyError.authenticationFailed) {
            try publicKey.verify(Bytes<64>(), digest: digest)
        }
    }

    @Test func `bytes that are not a point of the curve are refused`() throws {
        for vector in try CryptographyVectors.load().p256RefusedPublicKeys {
            #expect(throws: CryptographyError.invalidPublicKey, "\(vector.why)") {
                _ = try P256PublicKey(x963: [UInt8](hex: vector.publicKey).span)
            }
        }
        for size in [0, 1, 33, 64, 66] {
            #expect(throws: CryptographyError.wrongLength) {
                _ = try P256PublicKey(x963: [UInt8](repeating: 4, count: size).span)
            }
        }
    }

    @Test func `scalars outside the group's order are refused`() throws {
        for scalar in try CryptographyVectors.load().p256RefusedScalars {
            #expect(throws: CryptographyError.invalidPrivateKey) {
                _ = try P256PrivateKey(scalar: Bytes<32>(hex: scalar), entropy: .system)
            }
        }
    }

    @Test func `without entropy no key is made`() {
        let none = Entropy { _, _, _ in Entropy.failure }
        #expect(throws: CryptographyError.noEntropy) { _ = try P256PrivateKey(entropy: none) }
        var bytes: [UInt8] = [0]
        #expect(throws: CryptographyError.noEntropy) {
            var destination = bytes.mutableSpan
            try none.fill(&destination)
        }
    }
}
