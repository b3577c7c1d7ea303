import FixedMemory

/// The known-answer tests of the sliced jobs: their results equal the published ones. They also do when the
/// slices of three jobs alternate, which is when the jobs need the most memory.
enum SlicedSelfTest {
    static let ephemeralKey: StaticString =
        "04dad0b65394221cf9b051e1feca5787d098dfe637fc90b9ef945d0c37725811805271a0461cdb8252d61f1c456fa3e59ab1f45b33accf5f58389e0577b8990bb3"
    private static let peer: StaticString =
        "04d12dfb5289c8d4f81208b70270398c342296970a0bccb74c736fc7554494bf6356fbf3ca366cc23e8157854c13c58d6aac23f046ada30f8353e74f33039872ab"
    private static let secret: StaticString =
        "d6840f6b42f6edafd13116e0e12565202fef8e9ece7dce03812464d04b9442de"

    private static let signingScalar: StaticString =
        "c9afa9d845ba75166b5c215767b1d6934e50c3db36e89b127b8a622b120f6721"
    private static let signingKey: StaticString =
        "0460fed4ba255a9d31c961eb74c6356d68c049b8923b61fa6ce669622e60f29fb67903fe1008b8bc99a41ae9e95628bc64f2f1b20c2d7e9f5177a3c294d4462299"
    private static let published: StaticString =
        "efd48b2aacb6a8fd1140dd9cd45e81d69d2c877b56aaf991c34d0ea84eaf3716f7cb1c942d657c41d436c7a1b6e29f65f3e900dbb9aff4064dc4ab2f843acda8"

    static func agreement() throws(CryptographyError) -> Bool {
        var job = try knownAgreement()
        while try !job.advance() {}
        return try isAsPublished(&job)
    }

    static func signature(_ entropy: Entropy) throws(CryptographyError) -> Bool {
        var job = try knownSignature(entropy)
        while try !job.advance() {}
        return isAsPublished(job)
    }

    static func verification() throws(CryptographyError) -> Bool {
        var signature = KnownBytes(published)
        var right = try knownVerification(of: signature)
        while try !right.advance() {}
        signature.flipLastBit()
        var wrong = try knownVerification(of: signature)
        do throws(CryptographyError) {
            while try !wrong.advance() {}
        } catch {
            return error == .authenticationFailed
        }
        return false
    }

    static func inTurns(_ entropy: Entropy) throws(CryptographyError) -> Bool {
        var agreement = try knownAgreement()
        var signature = try knownSignature(entropy)
        var verification = try knownVerification(of: KnownBytes(published))
        var isDone = false
        while !isDone {
            let isAgreed = try agreement.advance()
            let isSigned = try signature.advance()
            let isVerified = try verification.advance()
            isDone = isAgreed && isSigned && isVerified
        }
        return try isAsPublished(&agreement) && isAsPublished(signature)
    }

    private static func knownAgreement() throws(CryptographyError) -> P256AgreementJob {
        let peer = try P256PublicKey(x963: KnownBytes(peer).span)
        return try P256AgreementJob(with: peer, entropy: Entropy(fill: repeatKnownScalar))
    }

    private static func knownSignature(_ entropy: Entropy) throws(CryptographyError) -> P256SignatureJob {
        try P256SignatureJob(
            digest: SHA256.digest(of: KnownBytes("73616d706c65").span),
            scalar: Bytes<32>(KnownBytes(signingScalar).span) ?? Bytes<32>(), entropy: entropy)
    }

    private static func knownVerification(
        of signature: KnownBytes
    ) throws(CryptographyError) -> P256VerificationJob {
        try P256VerificationJob(
            signature: Bytes<64>(signature.span) ?? Bytes<64>(),
            digest: SHA256.digest(of: KnownBytes("73616d706c65").span),
            publicKey: P256PublicKey(x963: KnownBytes(signingKey).span))
    }

    private static func isAsPublished(_ job: inout P256AgreementJob) throws(CryptographyError) -> Bool {
        guard let agreement = try job.agreement() else { return false }
        return KnownBytes(ephemeralKey).equals(agreement.ephemeralKey.span)
            && KnownBytes(secret).equals(agreement.secret.span)
    }

    private static func isAsPublished(_ job: borrowing P256SignatureJob) -> Bool {
        guard let signature = job.signature else { return false }
        return KnownBytes(published).equals(signature.span)
    }
}

/// An entropy source that only returns the published private scalar of the ephemeral key.
private func repeatKnownScalar(
    _: UnsafeMutableRawPointer?, _ bytes: UnsafeMutablePointer<UInt8>?, _ byteCount: Int
) -> Int32 {
    let scalar = KnownBytes("c88f01f510d9ac3f70a292daa2316de544e9aab8afe84049c62a9c57862d1433")
    for index in 0..<byteCount { bytes?[index] = scalar.span[index % 32] }
    return 0
}
