import Cryptography
import FixedMemory
import TestSupport
import Testing

/// Tests of the sliced jobs. On a host one slice may do the whole computation; `tabard selftest` runs the
/// same checks against a board's library.
@Suite struct P256JobTests {
    @Test func `both ends of an agreement have the same secret`() throws {
        var theirs = try P256PrivateKey(entropy: .system)
        var job = try P256AgreementJob(with: theirs.publicKey, entropy: .system)
        #expect(try job.agreement() == nil)
        while try !job.advance() {}
        var agreement = try #require(try job.agreement())
        let ephemeralKey = try P256PublicKey(x963: agreement.ephemeralKey.span)
        #expect(try theirs.sharedSecret(with: ephemeralKey, entropy: .system) == agreement.secret)
        agreement.wipe()
        #expect(agreement.secret == Bytes<32>())
    }

    @Test func `every agreement has a fresh key`() throws {
        let peer = try P256PrivateKey(entropy: .system).publicKey
        var first = try P256AgreementJob(with: peer, entropy: .system)
        var second = try P256AgreementJob(with: peer, entropy: .system)
        while try !first.advance() {}
        while try !second.advance() {}
        #expect(try first.agreement()?.ephemeralKey != second.agreement()?.ephemeralKey)
    }

    @Test func `a job makes the published signatures`() throws {
        for vector in try CryptographyVectors.load().p256Signature {
            let digest = SHA256.digest(of: [UInt8](hex: vector.message).span)
            var job = try P256SignatureJob(
                digest: digest, scalar: Bytes<32>(hex: vector.scalar), entropy: .system)
            #expect(job.signature == nil)
            while try !job.advance() {}
            #expect(job.signature?.hex == vector.signature, "\(vector.source)")
            #expect(try job.advance())
        }
    }

    /// Among 400 signatures some numbers begin with a zero byte, and some with a high bit: DER encodes both
    /// differently.
    @Test func `a job's signature equals the one made at once, and verifies`() throws {
        var key = try P256PrivateKey(
            scalar: Bytes<32>(hex: String(repeating: "07", count: 32)), entropy: .system)
        let scalar = try key.scalarBytes()
        var withZeros = 0
        for number in 0..<400 as Range<UInt32> {
            let message = withUnsafeBytes(of: number.littleEndian) { [UInt8]($0) }
            let digest = SHA256.digest(of: message.span)
            let whole = try key.sign(digest: digest, entropy: .system)
            if whole[0] == 0 || whole[32] == 0 { withZeros += 1 }
            var signing = try P256SignatureJob(digest: digest, scalar: scalar, entropy: .system)
            while try !signing.advance() {}
            #expect(signing.signature == whole, "message \(number)")
            var verification = try P256VerificationJob(
                signature: whole, digest: digest, publicKey: key.publicKey)
            while try !verification.advance() {}
        }
        #expect(withZeros > 0)
    }

    @Test func `a changed signature is refused`() throws {
        var key = try P256PrivateKey(entropy: .system)
        let publicKey = key.publicKey
        let digest = SHA256.digest(of: [1].span)
        let signature = try key.sign(digest: digest, entropy: .system)
        var changes: [Bytes<64>] = [Bytes<64>(), Bytes<64>(hex: String(repeating: "ff", count: 64))]
        for byte in stride(from: 0, to: 64, by: 7) {
            var changed = signature
            changed[byte] ^= 0x80
            changes.append(changed)
        }
        for changed in changes {
            #expect(throws: CryptographyError.authenticationFailed) {
                var job = try P256VerificationJob(signature: changed, digest: digest, publicKey: publicKey)
                while try !job.advance() {}
            }
        }
    }

    @Test func `scalars outside the group's order are refused`() throws {
        for scalar in try CryptographyVectors.load().p256RefusedScalars {
            #expect(throws: CryptographyError.invalidPrivateKey) {
                _ = try P256SignatureJob(
                    digest: Bytes<32>(), scalar: Bytes<32>(hex: scalar), entropy: .system)
            }
        }
    }

    @Test func `a job continues when entropy is available again`() throws {
        var hasEntropy = false
        try withUnsafeMutablePointer(to: &hasEntropy) { switchedOn in
            let entropy = Entropy(context: switchedOn) { context, bytes, byteCount in
                guard context?.load(as: Bool.self) == true else { return Entropy.failure }
                for index in 0..<byteCount { bytes?[index] = 0x5a }
                return 0
            }
            var job = try P256AgreementJob(
                with: P256PrivateKey(entropy: .system).publicKey, entropy: entropy)
            var failure: CryptographyError?
            do throws(CryptographyError) { _ = try job.advance() } catch { failure = error }
            #expect(failure == .noEntropy)
            switchedOn.pointee = true
            while try !job.advance() {}
            #expect(try job.agreement() != nil)
        }
    }
}
