import Cryptography
import FixedMemory
import TestSupport
import Testing

@Suite struct KeyFormTests {
    private static let scalar: Bytes<32> = Bytes(
        hex: "c9afa9d845ba75166b5c215767b1d6934e50c3db36e89b127b8a622b120f6721")

    @Test func `A public key written as SubjectPublicKeyInfo reads back, and any other prefix is refused`()
        throws
    {
        let key = try P256PrivateKey(scalar: Self.scalar, entropy: .system).publicKey
        let information = key.subjectPublicKeyInfo
        #expect(try P256PublicKey(subjectPublicKeyInfo: information.span) == key)
        for index in 0..<27 {
            var changed = information
            changed[index] ^= 1
            #expect(throws: CryptographyError.invalidPublicKey) {
                try P256PublicKey(subjectPublicKeyInfo: changed.span)
            }
        }
        #expect(throws: CryptographyError.wrongLength) {
            try P256PublicKey(subjectPublicKeyInfo: key.x963.span)
        }
        // In RFC 6979 A.2.5 the last byte of y is 0x99, so y is odd.
        #expect(key.compressed.hex == "0360fed4ba255a9d31c961eb74c6356d68c049b8923b61fa6ce669622e60f29fb6")
    }

    @Test func `There is one DER form of a signature, and no other is read`() throws {
        var generator = SeededGenerator(seed: 8)
        for _ in 0..<200 {
            var bytes = generator.bytes(64)
            // Some numbers begin with zero bytes, which DER removes.
            if Bool.random(using: &generator) { bytes[0] = 0 }
            if Bool.random(using: &generator) { bytes[1] &= 0x7f }
            let signature = Bytes<64>(bytes.span) ?? Bytes()
            let der = DERSignature(signature)
            let read = DERSignature(parsing: der.span)
            #expect(read?.fixed == signature)
            var long = (0..<der.count).map { der.bytes[$0] }
            long.append(0)
            #expect(DERSignature(parsing: long.span) == nil)
            long.removeLast(2)
            #expect(DERSignature(parsing: long.span) == nil)
        }
        // In this encoding r is 1 with one leading zero too many.
        let padded = [UInt8](hex: "300702020001020101")
        #expect(DERSignature(parsing: padded.span) == nil)
    }

    @Test func `AES encrypts single blocks as SP 800-38A, F.1.1 and F.1.5, publishes`() throws {
        for (key, sealed) in [
            ("2b7e151628aed2a6abf7158809cf4f3c", "3ad77bb40d7a3660a89ecaf32466ef97"),
            (
                "603deb1015ca71be2b73aef0857d77811f352c073b6108d72d9810a30914dff4",
                "f3eed1bdb5d2a03c064b5a7e3db181f8"
            ),
        ] {
            var cipher = try AESBlockCipher(key: [UInt8](hex: key).span)
            for _ in 0..<2 {
                var block = Bytes<16>(hex: "6bc1bee22e409f96e93d7e117393172a")
                try cipher.encrypt(&block)
                #expect(block.hex == sealed)
            }
        }
        #expect(throws: CryptographyError.wrongLength) { _ = try AESBlockCipher(key: [1, 2].span) }
    }
}
