import Cryptography
import FixedMemory
import TestSupport
import Testing

@testable import Updates

/// Tests the header of update files.
@Suite struct UpdateHeaderTests {
    private let key: P256PublicKey
    private let header: UpdateHeader
    private let bytes: [UInt8]

    init() throws {
        var pair = try P256PrivateKey(entropy: .system)
        key = pair.publicKey
        header = UpdateHeader(
            version: Bytes<3>([0, 3, 1].span) ?? Bytes(), isDowngrade: false,
            architecture: Bytes<16>((Array("aarch64".utf8) + [UInt8](repeating: 0, count: 9)).span)
                ?? Bytes(),
            imageByteCount: 465_584, imageDigest: SHA256.digest(of: [1, 2, 3].span))
        let signature = try pair.sign(digest: header.digest, entropy: .system)
        let start = header.signedBytes
        bytes = start.span.indices.map { start[$0] } + signature.span.indices.map { signature[$0] }
    }

    private func read(_ bytes: [UInt8]) -> UpdateHeader? { UpdateHeader(bytes.span) }

    private func isSigned(_ header: UpdateHeader, in bytes: [UInt8], by key: P256PublicKey) -> Bool {
        header.isSigned(in: bytes.span, by: key)
    }

    /// The places are those of docs/updates.md.
    @Test func `the header is written as documented`() {
        #expect(bytes.count == UpdateHeader.byteCount && bytes.count == 192)
        #expect(Array(bytes[..<16]) == Array("TABARDUP".utf8) + [1, 0, 0, 3, 1, 0, 0, 0])
        #expect(Array(bytes[16..<32]) == Array("aarch64".utf8) + [UInt8](repeating: 0, count: 9))
        #expect(Array(bytes[32..<36]) == [0xb0, 0x1a, 0x07, 0x00])
        #expect(bytes[68..<128].allSatisfy { $0 == 0 })
    }

    @Test func `a header is read as it is written, and its signature verifies`() {
        #expect(read(bytes) == header)
        #expect(isSigned(header, in: bytes, by: key))
    }

    @Test func `a change of any byte is noticed`() {
        for index in bytes.indices {
            var changed = bytes
            // Bit 0 is the one of the flag.
            changed[index] ^= 0x01
            // Bytes that no reader uses are not signed either, so they change nothing.
            guard let found = read(changed) else { continue }
            let isUnused = (13..<16).contains(index) || (68..<128).contains(index)
            #expect(!isSigned(found, in: changed, by: key) || isUnused, "byte \(index) is not covered")
        }
    }

    @Test func `another key's signature is refused`() throws {
        let other = try P256PrivateKey(entropy: .system).publicKey
        #expect(!isSigned(header, in: bytes, by: other))
    }

    @Test func `other bytes are no header, and never trap`() {
        var generator = SeededGenerator(seed: 3)
        for count in 0..<UpdateHeader.byteCount { #expect(read(Array(bytes[..<count])) == nil) }
        for _ in 0..<500 {
            var random = generator.bytes(200)
            if Bool.random(using: &generator) { random.replaceSubrange(0..<9, with: bytes[..<9]) }
            _ = read(random)
        }
    }

    @Test func `versions are compared number by number`() {
        func isOlder(_ other: [UInt8]) -> Bool { header.isOlder(than: Bytes<3>(other.span) ?? Bytes()) }
        #expect(isOlder([0, 3, 2]) && isOlder([0, 4, 0]) && isOlder([1, 0, 0]))
        #expect(!isOlder([0, 3, 1]) && !isOlder([0, 2, 9]))
    }
}
