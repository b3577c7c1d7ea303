import Crypto
import EncounterLog
import FlashSimulator
import Foundation
import TestSupport

/// The data in a board's whole storage, and the attempts to decrypt it. It is written from docs/log-format.md
/// with another cryptography library, so it shares no code with the implementation.
struct StolenBoard: Sendable {
    /// A page as it is stored in the image.
    struct Page: Sendable {
        let number: Int
        let position: [UInt8]
        let header: [UInt8]
        /// Segment header and link.
        let prefix: [UInt8]
        let ciphertext: [UInt8]
        let tag: [UInt8]
    }

    /// The pages of one segment header.
    struct Epoch: Sendable {
        let ordinal: UInt32
        let number: UInt8
        let logIdentity: [UInt8]
        let boot: [UInt8]
        let ephemeralKey: [UInt8]
        let signature: [UInt8]
        var pages: [Page] = []
    }

    private(set) var epochs: [Epoch] = []

    /// - Parameter segments: the segments as read from the image.
    init(_ segments: [FetchedSegment], _ geometry: FlashGeometry) {
        for segment in segments {
            for place in PageForge.pages(of: segment.bytes, ordinal: segment.ordinal, geometry) {
                let bytes = Array(segment.bytes[place.range])
                let flags = bytes[1]
                guard flags & 1 == 1 else { continue }
                var end = 8
                if flags & 2 != 0 {
                    let segmentHeader = Array(bytes[8..<254])
                    let key = Array(segmentHeader[94..<158])
                    if epochs.last?.ephemeralKey != key {
                        epochs.append(
                            Epoch(
                                ordinal: segment.ordinal, number: flags >> 4,
                                logIdentity: Array(segmentHeader[20..<36]),
                                boot: Array(segmentHeader[12..<20]),
                                ephemeralKey: key, signature: Array(segmentHeader[182..<246])))
                    }
                    end = 254
                }
                guard flags & 4 != 0, !epochs.isEmpty else { continue }
                let link = Array(bytes[end..<end + 28])
                end += 28
                epochs[epochs.count - 1].pages.append(
                    Page(
                        number: Int(link[16]) | Int(link[17]) << 8,
                        position: [segment.ordinal, UInt32(place.byteOffset)].flatMap(PageForge.littleEndian),
                        header: Array(bytes[0..<4]), prefix: Array(bytes[8..<end]),
                        ciphertext: Array(bytes[end..<bytes.count - 16]),
                        tag: Array(bytes[bytes.count - 16..<bytes.count])))
            }
        }
    }

    var pageCount: Int { epochs.reduce(0) { $0 + $1.pages.count } }

    // MARK: Attempts

    /// The shared secrets of a private scalar with each public key; empty if the scalar is invalid.
    static func agreements(of scalar: [UInt8], with publicKeys: [[UInt8]]) -> [[UInt8]] {
        guard let key = try? P256.KeyAgreement.PrivateKey(rawRepresentation: scalar) else { return [] }
        return publicKeys.compactMap { other in
            guard let other = try? P256.KeyAgreement.PublicKey(rawRepresentation: other),
                let secret = try? key.sharedSecretFromKeyAgreement(with: other)
            else { return nil }
            return secret.withUnsafeBytes { [UInt8]($0) }
        }
    }

    /// The first state of an epoch's key chain for this secret.
    static func state(of epoch: Epoch, secret: [UInt8]) -> [UInt8] {
        let state = HKDF<Crypto.SHA256>.deriveKey(
            inputKeyMaterial: SymmetricKey(data: secret),
            salt: epoch.logIdentity + PageForge.littleEndian(epoch.ordinal) + [epoch.number],
            info: Array("tabard log 2".utf8) + epoch.ephemeralKey, outputByteCount: 32)
        return state.withUnsafeBytes { [UInt8]($0) }
    }

    static func key(of state: [UInt8]) -> [UInt8] { code(1, state) }

    static func next(_ state: [UInt8]) -> [UInt8] { code(2, state) }

    /// The number of an epoch's pages that open with the keys derived from a state, which is that of page
    /// `first`.
    static func openedCount(_ pages: [Page], state: [UInt8], first: Int = 0) -> Int {
        guard let last = pages.map(\.number).max() else { return 0 }
        var state = state
        var keys: [[UInt8]] = []
        for _ in 0...max(last - first, 0) {
            keys.append(key(of: state))
            state = next(state)
        }
        return pages.count { page in
            let index = page.number - first
            return keys.indices.contains(index) && opens(page, key: keys[index])
        }
    }

    static func opens(_ page: Page, key: [UInt8]) -> Bool {
        guard key.count == 32,
            let nonce = try? AES.GCM.Nonce(data: Data(count: 12)),
            let box = try? AES.GCM.SealedBox(nonce: nonce, ciphertext: page.ciphertext, tag: page.tag)
        else { return false }
        let vouchedFor = page.position + page.header + page.prefix
        return (try? AES.GCM.open(box, using: SymmetricKey(data: key), authenticating: vouchedFor)) != nil
    }

    private static func code(_ label: UInt8, _ state: [UInt8]) -> [UInt8] {
        Array(HMAC<Crypto.SHA256>.authenticationCode(for: [label], using: SymmetricKey(data: state)))
    }
}
