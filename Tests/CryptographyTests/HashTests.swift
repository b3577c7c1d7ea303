import Cryptography
import FixedMemory
import TestSupport
import Testing

@Suite struct HashTests {
    @Test func `SHA-256 has the published digests`() throws {
        for vector in try CryptographyVectors.load().sha256 {
            let message = [UInt8](hex: vector.message)
            #expect(SHA256.digest(of: message.span).hex == vector.digest, "\(vector.source)")
        }
    }

    @Test func `SHA-256 of parts is the digest of the whole, wherever the message is cut`() {
        var generator = SeededGenerator(seed: 1)
        let message = generator.bytes(200)
        let digest = SHA256.digest(of: message.span)
        var hash = SHA256()
        for cut in 0...message.count {
            hash.update(message.span.extracting(0..<cut))
            hash.update(message.span.extracting(cut..<message.count))
            #expect(hash.finish() == digest)
        }
    }

    @Test func `a restarted hash forgets its earlier input`() {
        var hash = SHA256()
        hash.update([1, 2, 3].span)
        hash.restart()
        #expect(hash.finish() == SHA256.digest(of: Span()))
    }

    @Test func `HMAC has the published codes`() throws {
        for vector in try CryptographyVectors.load().hmacSHA256 {
            let key = [UInt8](hex: vector.key)
            let message = [UInt8](hex: vector.message)
            #expect(
                try HMACSHA256.code(of: message.span, key: key.span).hex == vector.code, "\(vector.source)")
        }
    }

    @Test func `HMAC starts again with the same key`() throws {
        var hmac = try HMACSHA256(key: [7].span)
        try hmac.update([1].span)
        let first = try hmac.finish()
        try hmac.update([1].span)
        let second = try hmac.finish()
        #expect(first == second)
    }

    @Test func `HKDF has the published keys`() throws {
        for vector in try CryptographyVectors.load().hkdfSHA256 {
            var key = [UInt8](repeating: 0, count: vector.key.count / 2)
            let secret = [UInt8](hex: vector.secret)
            let salt = [UInt8](hex: vector.salt ?? "")
            let info = [UInt8](hex: vector.info)
            var destination = key.mutableSpan
            try HKDFSHA256.derive(&destination, from: secret.span, salt: salt.span, info: info.span)
            #expect(key.hex == vector.key, "\(vector.source)")
        }
    }

    @Test func `HKDF refuses more bytes than it can give`() {
        var key = [UInt8](repeating: 0, count: 8161)
        #expect(throws: CryptographyError.wrongLength) {
            var destination = key.mutableSpan
            try HKDFSHA256.derive(&destination, from: [1].span, salt: Span(), info: Span())
        }
    }

    @Test func `X9.63 has the published keys`() throws {
        for vector in try CryptographyVectors.load().x963SHA256 {
            var key = [UInt8](repeating: 0, count: vector.key.count / 2)
            let secret = [UInt8](hex: vector.secret)
            let info = [UInt8](hex: vector.info)
            var destination = key.mutableSpan
            X963SHA256.derive(&destination, from: secret.span, info: info.span)
            #expect(key.hex == vector.key, "\(vector.source)")
        }
    }
}
