import FixedMemory

/// Known-answer tests that run in the program itself: `tabard selftest` runs them on the board. Key
/// agreements, signatures and verifications run in slices, as they do on a board.
public enum CryptographySelfTest {
    /// Runs every case and reports its name and result. Returns the name of the first case that failed; nil
    /// if all passed. Takes a second or two on the slowest boards, most of it in P-256.
    public static func run(entropy: Entropy, report: (StaticString, Bool) -> Void) -> StaticString? {
        var firstFailure: StaticString?
        func run(_ name: StaticString, _ test: () throws(CryptographyError) -> Bool) {
            var passed = false
            do throws(CryptographyError) { passed = try test() } catch {}
            report(name, passed)
            if !passed, firstFailure == nil { firstFailure = name }
        }
        run("SHA-256, FIPS 180-4 example", sha256)
        run("HMAC-SHA-256, RFC 4231 case 2", hmac)
        run("HKDF-SHA-256, RFC 5869 A.1", hkdf)
        run("X9.63 KDF, CAVP", x963)
        run("AES-128-GCM, McGrew-Viega case 4", gcm)
        run("AES-GCM, nonce of 16 bytes", gcmLongNonce)
        run("AES-GCM, tampered tag refused", gcmTampered)
        run("AES-128-CTR, SP 800-38A F.5.1", ctr)
        run("P-256, point off the curve refused", offCurve)
        run("P-256 agreement in slices, RFC 5903 8.1", SlicedSelfTest.agreement)
        run("P-256 ECDSA in slices, RFC 6979 A.2.5") { () throws(CryptographyError) in
            try SlicedSelfTest.signature(entropy)
        }
        run("P-256 verification in slices", SlicedSelfTest.verification)
        run("P-256, all three in turns") { () throws(CryptographyError) in try SlicedSelfTest.inTurns(entropy)
        }
        run("P-256, fresh keys differ") { () throws(CryptographyError) in try freshKeys(entropy) }
        return firstFailure
    }

    private static func sha256() -> Bool {
        let message = KnownBytes(
            "6162636462636465636465666465666765666768666768696768696a68696a6b696a6b6c6a6b6c6d6b6c6d6e6c6d6e6f6d6e6f706e6f7071"
        )
        let digest = SHA256.digest(of: message.span)
        return KnownBytes("248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1").equals(
            digest.span)
    }

    private static func hmac() throws(CryptographyError) -> Bool {
        let key = KnownBytes("4a656665")
        let message = KnownBytes("7768617420646f2079612077616e7420666f72206e6f7468696e673f")
        let code = try HMACSHA256.code(of: message.span, key: key.span)
        return KnownBytes("5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843").equals(
            code.span)
    }

    private static func hkdf() throws(CryptographyError) -> Bool {
        let secret = KnownBytes("0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b")
        let salt = KnownBytes("000102030405060708090a0b0c")
        let info = KnownBytes("f0f1f2f3f4f5f6f7f8f9")
        var key = Bytes<42>()
        var destination = key.mutableSpan
        try HKDFSHA256.derive(&destination, from: secret.span, salt: salt.span, info: info.span)
        return KnownBytes(
            "3cb25f25faacd57a90434f64d0362f2a2d2d0a90cf1a5a4c5db02d56ecc4c5bf34007208d5b887185865"
        )
        .equals(key.span)
    }

    private static func x963() -> Bool {
        let secret = KnownBytes("96c05619d56c328ab95fe84b18264b08725b85e33fd34f08")
        var key = Bytes<16>()
        var destination = key.mutableSpan
        X963SHA256.derive(&destination, from: secret.span, info: Span())
        return KnownBytes("443024c3dae66b95e6f5670601558f71").equals(key.span)
    }

    private static let gcmKey: StaticString = "feffe9928665731c6d6a8f9467308308"
    private static let gcmNonce: StaticString = "cafebabefacedbaddecaf888"
    private static let gcmText: StaticString =
        "d9313225f88406e5a55909c5aff5269a86a7a9531534f7da2e4c303d8a318a721c3c0c95956809532fcf0e2449a6b525b16aedf5aa0de657ba637b39"
    private static let gcmAdditional: StaticString = "feedfacedeadbeeffeedfacedeadbeefabaddad2"

    @inline(never)
    private static func seal(
        _ text: inout KnownBytes, key: StaticString, nonce: StaticString, additional: StaticString
    ) throws(CryptographyError) -> Bytes<16> {
        var cipher = try AESGCM(key: KnownBytes(key).span)
        let nonce = KnownBytes(nonce)
        let additional = KnownBytes(additional)
        return try text.mutate { (bytes) throws(CryptographyError) in
            try cipher.seal(&bytes, nonce: nonce.span, authenticating: additional.span)
        }
    }

    @inline(never)
    private static func open(
        _ text: inout KnownBytes, tag: Bytes<16>, key: StaticString, nonce: StaticString,
        additional: StaticString
    ) throws(CryptographyError) {
        var cipher = try AESGCM(key: KnownBytes(key).span)
        let nonce = KnownBytes(nonce)
        let additional = KnownBytes(additional)
        try text.mutate { (bytes) throws(CryptographyError) in
            try cipher.open(&bytes, tag: tag, nonce: nonce.span, authenticating: additional.span)
        }
    }

    private static func gcm() throws(CryptographyError) -> Bool {
        var text = KnownBytes(gcmText)
        let tag = try seal(&text, key: gcmKey, nonce: gcmNonce, additional: gcmAdditional)
        return KnownBytes(
            "42831ec2217774244b7221b784d0d49ce3aa212f2c02a4e035c17e2329aca12e21d514b25466931c7d8f6a5aac84aa051ba30b396a0aac973d58e091"
        ).equals(text.span) && KnownBytes("5bc94fbc3221a5db94fae95ae7121a47").equals(tag.span)
    }

    private static func gcmLongNonce() throws(CryptographyError) -> Bool {
        let key: StaticString = "feffe9928665731c6d6a8f9467308308feffe9928665731c6d6a8f9467308308"
        let nonce: StaticString = "000102030405060708090a0b0c0d0e0f"
        let original: StaticString = "d9313225f88406e5a55909c5aff5269a86a7a9531534f7da2e4c"
        var text = KnownBytes(original)
        let tag = try seal(&text, key: key, nonce: nonce, additional: gcmAdditional)
        let isSealed =
            KnownBytes("ad0bad38a94f095e991ad09739b244cc8df711ee1cefd699350d").equals(text.span)
            && KnownBytes("a0298f91913b474a4a41d3570fb2d872").equals(tag.span)
        try open(&text, tag: tag, key: key, nonce: nonce, additional: gcmAdditional)
        return isSealed && KnownBytes(original).equals(text.span)
    }

    private static func gcmTampered() throws(CryptographyError) -> Bool {
        var text = KnownBytes(gcmText)
        var tag = try seal(&text, key: gcmKey, nonce: gcmNonce, additional: "")
        tag[15] ^= 1
        do throws(CryptographyError) {
            try open(&text, tag: tag, key: gcmKey, nonce: gcmNonce, additional: "")
        } catch {
            return error == .authenticationFailed
        }
        return false
    }

    private static func ctr() throws(CryptographyError) -> Bool {
        let key = KnownBytes("2b7e151628aed2a6abf7158809cf4f3c")
        let counter = Bytes<16>(KnownBytes("f0f1f2f3f4f5f6f7f8f9fafbfcfdfeff").span) ?? Bytes<16>()
        var text = KnownBytes("6bc1bee22e409f96e93d7e117393172aae2d8a571e03ac9c9eb76fac45af8e51")
        try text.mutate { (bytes) throws(CryptographyError) in
            try AESCTR.apply(to: &bytes, key: key.span, counter: counter)
        }
        return KnownBytes("874d6191b620e3261bef6864990db6ce9806f66b7970fdff8617187bb9fffdff").equals(
            text.span)
    }

    private static func offCurve() -> Bool {
        var point = KnownBytes(SlicedSelfTest.ephemeralKey)
        point.flipLastBit()
        do throws(CryptographyError) { _ = try P256PublicKey(x963: point.span) } catch {
            return error == .invalidPublicKey
        }
        return false
    }

    private static func freshKeys(_ entropy: Entropy) throws(CryptographyError) -> Bool {
        let one = try P256PrivateKey(entropy: entropy)
        let other = try P256PrivateKey(entropy: entropy)
        return one.publicKey != other.publicKey
    }
}
