import Cryptography
import FixedMemory

/// The floor's operations, which call mbedTLS directly, through our module. See pass.h.
@c(crypto_pass)
public func cryptoPass(
    _ what: Int32, _ rounds: Int64, _ text: UnsafeMutablePointer<UInt8>, _ point: UnsafePointer<UInt8>
) -> Int32 {
    var block = Bytes<64>()
    for index in 0..<64 { block[index] = text[index] }
    var key = Bytes<65>()
    for index in 0..<65 { key[index] = point[index] }
    do throws(CryptographyError) {
        switch what {
        case 0: digest(&block, rounds)
        case 1: try authenticate(&block, rounds)
        case 2: try seal(&block, rounds)
        case 3: try agree(&block, with: key, rounds)
        default: return 1
        }
    } catch {
        return 1
    }
    for index in 0..<64 { text[index] = block[index] }
    return 0
}

private func digest(_ text: inout Bytes<64>, _ rounds: Int64) {
    for _ in 0..<rounds { text.replaceStart(by: SHA256.digest(of: text.span)) }
}

private func authenticate(_ text: inout Bytes<64>, _ rounds: Int64) throws(CryptographyError) {
    let key = Bytes<32>(repeating: 7)
    for _ in 0..<rounds { text.replaceStart(by: try HMACSHA256.code(of: text.span, key: key.span)) }
}

private func seal(_ text: inout Bytes<64>, _ rounds: Int64) throws(CryptographyError) {
    let key = Bytes<16>(repeating: 7)
    let (nonce, additional) = (Bytes<12>(repeating: 8), Bytes<16>(repeating: 9))
    var cipher = try AESGCM(key: key.span)
    for _ in 0..<rounds {
        var bytes = text.mutableSpan
        let tag = try cipher.seal(&bytes, nonce: nonce.span, authenticating: additional.span)
        text.replaceStart(by: tag)
    }
}

private func agree(_ text: inout Bytes<64>, with point: Bytes<65>, _ rounds: Int64) throws(CryptographyError)
{
    let entropy = Entropy { _, bytes, count in
        for index in 0..<count { bytes?[index] = 0x5a }
        return 0
    }
    var key = try P256PrivateKey(scalar: Bytes(repeating: 7), entropy: entropy)
    for _ in 0..<rounds {
        let peer = try P256PublicKey(x963: point.span)
        text.replaceStart(by: try key.sharedSecret(with: peer, entropy: entropy))
    }
}

extension Bytes {
    fileprivate init(repeating byte: UInt8) {
        self.init()
        for index in 0..<count { self[index] = byte }
    }

    fileprivate mutating func replaceStart<let other: Int>(by bytes: Bytes<other>) {
        for index in 0..<other { self[index] = bytes[index] }
    }
}
