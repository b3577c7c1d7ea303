import Cryptography
import FixedMemory
import TestSupport
import Testing

@Suite struct CipherTests {
    @Test func `GCM encrypts and decrypts the published texts`() throws {
        for vector in try CryptographyVectors.load().aesGCM {
            var cipher = try AESGCM(key: [UInt8](hex: vector.key).span)
            var text = [UInt8](hex: vector.text)
            let nonce = [UInt8](hex: vector.nonce)
            let additional = [UInt8](hex: vector.additional)
            let tag = try seal(&cipher, &text, nonce, additional)
            #expect(text.hex == vector.sealed, "\(vector.source)")
            #expect(tag.hex == vector.tag, "\(vector.source)")
            try open(&cipher, &text, tag, nonce, additional)
            #expect(text.hex == vector.text, "\(vector.source)")
        }
    }

    @Test func `GCM refuses every flipped bit and leaves no plaintext`() throws {
        var cipher = try AESGCM(key: [UInt8](repeating: 7, count: 32).span)
        let nonce = [UInt8](repeating: 1, count: 12)
        let additional: [UInt8] = [1, 2, 3]
        let plain: [UInt8] = [10, 20, 30, 40]
        var sealed = plain
        let tag = try seal(&cipher, &sealed, nonce, additional)
        for bit in 0..<8 * (sealed.count + 16) {
            var text = sealed
            var changedTag = tag
            if bit / 8 < text.count {
                text[bit / 8] ^= 1 << UInt8(bit % 8)
            } else {
                changedTag[bit / 8 - text.count] ^= 1 << UInt8(bit % 8)
            }
            #expect(throws: CryptographyError.authenticationFailed) {
                try open(&cipher, &text, changedTag, nonce, additional)
            }
            #expect(text == [0, 0, 0, 0])
        }
        var text = sealed
        #expect(throws: CryptographyError.authenticationFailed) {
            try open(&cipher, &text, tag, nonce, [1, 2])
        }
    }

    @Test func `keys of other sizes are refused`() {
        for size in [0, 1, 15, 17, 31, 33, 64] {
            let key = [UInt8](repeating: 0, count: size)
            #expect(throws: CryptographyError.wrongLength) { _ = try AESGCM(key: key.span) }
            #expect(throws: CryptographyError.wrongLength) {
                var text: [UInt8] = [1]
                var bytes = text.mutableSpan
                try AESCTR.apply(to: &bytes, key: key.span, counter: Bytes<16>())
            }
        }
    }

    @Test func `GCM refuses an empty nonce`() throws {
        var cipher = try AESGCM(key: [UInt8](repeating: 0, count: 16).span)
        var text: [UInt8] = [1]
        #expect(throws: CryptographyError.wrongLength) { _ = try seal(&cipher, &text, [], []) }
    }

    @Test func `CTR encrypts and decrypts the published texts`() throws {
        for vector in try CryptographyVectors.load().aesCTR {
            let key = [UInt8](hex: vector.key)
            let counter = Bytes<16>(hex: vector.counter)
            var text = [UInt8](hex: vector.text)
            var bytes = text.mutableSpan
            try AESCTR.apply(to: &bytes, key: key.span, counter: counter)
            #expect(text.hex == vector.sealed, "\(vector.source)")
            var again = text.mutableSpan
            try AESCTR.apply(to: &again, key: key.span, counter: counter)
            #expect(text.hex == vector.text, "\(vector.source)")
        }
    }

    private func seal(
        _ cipher: inout AESGCM, _ text: inout [UInt8], _ nonce: [UInt8], _ additional: [UInt8]
    ) throws -> Bytes<16> {
        var bytes = text.mutableSpan
        return try cipher.seal(&bytes, nonce: nonce.span, authenticating: additional.span)
    }

    private func open(
        _ cipher: inout AESGCM, _ text: inout [UInt8], _ tag: Bytes<16>, _ nonce: [UInt8],
        _ additional: [UInt8]
    ) throws {
        var bytes = text.mutableSpan
        try cipher.open(&bytes, tag: tag, nonce: nonce.span, authenticating: additional.span)
    }
}
