import Crypto
import EncounterLog
import FixedMemory
import FlashSimulator
import Simulator
import TestSupport
import Testing

/// Attempts of a thief who has the board after a busy hour: its whole medium and its key file, but not the
/// owner key. No attempt reads anything. (`make sim-thief` searches the image of a whole day.)
@Suite struct AttackerTests {
    private let day: StolenDay
    private let stolen: StolenBoard

    init() throws {
        day = try StolenDay.shared.get()
        stolen = day.board
    }

    // MARK: Searching

    @Test func `no part of an identity or address is readable in the image`() throws {
        #expect(day.secrets.count > 150)
        let search = PlainSearch(day.secrets)
        #expect(search.findings(in: day.image) == 0)
        // The same day in plaintext proves that the search would find it.
        #expect(search.findings(in: day.imageInClear) > 500)
    }

    @Test func `no key is in the image`() throws {
        var keys = [day.boardKey, day.ownerKey].map { [UInt8]($0.rawRepresentation) }
        for epoch in stolen.epochs {
            let secret = try #require(secrets(of: epoch, with: day.ownerKey).first)
            var state = StolenBoard.state(of: epoch, secret: secret)
            keys.append(secret)
            for _ in epoch.pages {
                keys += [state, StolenBoard.key(of: state)]
                state = StolenBoard.next(state)
            }
        }
        #expect(keys.count > 2 * stolen.pageCount)
        #expect(PlainSearch(keys).findings(in: day.image) == 0)
    }

    // MARK: Decrypting

    /// The control: the same attempts succeed with the owner key, which the thief lacks.
    @Test func `the owner key decrypts every page in the same way`() throws {
        #expect(stolen.pageCount > 250)
        #expect(stolen.epochs.count > 10)
        for epoch in stolen.epochs {
            let secret = try #require(secrets(of: epoch, with: day.ownerKey).first)
            let state = StolenBoard.state(of: epoch, secret: secret)
            #expect(StolenBoard.openedCount(epoch.pages, state: state) == epoch.pages.count)
        }
    }

    @Test func `no secret on the board decrypts a page`() throws {
        for epoch in stolen.epochs {
            let pages = [epoch.pages.first, epoch.pages.last].compactMap(\.self)
            for secret in guesses(of: epoch) {
                // Each guess is tried as the secret of the key agreement, as the state of the key chain, and
                // as a page's key.
                let state = StolenBoard.state(of: epoch, secret: secret)
                #expect(StolenBoard.openedCount(pages, state: state) == 0)
                #expect(StolenBoard.openedCount(pages, state: secret) == 0)
                #expect(!pages.contains { StolenBoard.opens($0, key: secret) })
            }
        }
    }

    /// Every plaintext byte sequence of the image is tried as a key.
    @Test func `no bytes of the image are a key`() throws {
        let segment = try #require(day.segments.dropFirst(3).first)
        let epoch = try #require(stolen.epochs.first { $0.ordinal == segment.ordinal })
        let page = try #require(epoch.pages.min { $0.ciphertext.count < $1.ciphertext.count })
        for start in 0..<4_096 {
            #expect(!StolenBoard.opens(page, key: Array(segment.bytes[start..<start + 32])))
        }
    }

    /// The seized board's memory contains the state from which the next page's key is derived.
    @Test func `a key in memory decrypts no earlier page`() throws {
        let epoch = try #require(stolen.epochs.max { $0.pages.count < $1.pages.count })
        let secret = try #require(secrets(of: epoch, with: day.ownerKey).first)
        var state = StolenBoard.state(of: epoch, secret: secret)
        let middle = epoch.pages.count / 2
        for _ in 0..<epoch.pages[middle].number { state = StolenBoard.next(state) }
        let before = Array(epoch.pages[..<middle])
        var guess = state
        for _ in 0..<500 {
            #expect(!before.contains { StolenBoard.opens($0, key: StolenBoard.key(of: guess)) })
            guess = StolenBoard.next(guess)
        }
        // All later pages open, so this is the correct state.
        let after = Array(epoch.pages[middle...])
        #expect(
            StolenBoard.openedCount(after, state: state, first: epoch.pages[middle].number) == after.count)
        // It opens no other epoch, neither earlier nor later ones.
        for other in stolen.epochs where other.ephemeralKey != epoch.ephemeralKey {
            #expect(StolenBoard.openedCount(other.pages, state: state) == 0)
        }
    }

    // MARK: Mistakes that would reveal a key

    /// Two signatures with the same nonce reveal the board's key. An ephemeral key that is also a signature's
    /// nonce reveals itself.
    @Test func `no random number is used twice`() {
        let ephemeral = stolen.epochs.map { Array($0.ephemeralKey[..<32]) }
        let nonces = stolen.epochs.map { Array($0.signature[..<32]) }
        #expect(Set(ephemeral + nonces).count == 2 * stolen.epochs.count)
    }

    /// Two pages under the same key would be detectable, because the difference of their ciphertexts is that
    /// of their similar plaintexts.
    @Test func `no two pages have the same keystream`() {
        let pages = stolen.epochs.flatMap(\.pages).map { $0.ciphertext.prefix(64) }.filter { $0.count == 64 }
        for (index, page) in pages.enumerated() {
            for other in pages[..<index].suffix(50) {
                let equal = zip(page, other).count { $0 == $1 }
                // Of 64 random bytes, 0.25 are equal on average; 10 or more are equal with a probability
                // below 10^-12.
                #expect(equal < 10)
            }
        }
    }

    /// A generator that only uses the time or a counter would produce such numbers.
    @Test func `ephemeral keys cannot be guessed`() throws {
        let known = Set(stolen.epochs.map(\.ephemeralKey))
        var guesses = (1...200).map { number in [UInt8](repeating: 0, count: 31) + [UInt8(number)] }
        for epoch in stolen.epochs {
            for part in [epoch.boot, epoch.logIdentity, PageForge.littleEndian(epoch.ordinal)] {
                guesses.append(Array(Crypto.SHA256.hash(data: part)))
                guesses.append([UInt8](repeating: 0, count: 32 - part.count) + part)
            }
        }
        for guess in guesses {
            guard let key = try? P256.KeyAgreement.PrivateKey(rawRepresentation: guess) else { continue }
            #expect(!known.contains([UInt8](key.publicKey.rawRepresentation)))
        }
    }

    // MARK: Material at hand

    private func secrets(
        of epoch: StolenBoard.Epoch, with key: P256.KeyAgreement.PrivateKey
    ) -> [[UInt8]] {
        StolenBoard.agreements(of: [UInt8](key.rawRepresentation), with: [epoch.ephemeralKey])
    }

    /// Every private scalar that the thief has or can make up, its key agreement with every public key, and
    /// the scalars themselves.
    private func guesses(of epoch: StolenBoard.Epoch) -> [[UInt8]] {
        let scalar = [UInt8](day.boardKey.rawRepresentation)
        let publicKeys = [day.boardKey, day.ownerKey].map { [UInt8]($0.publicKey.rawRepresentation) }
        let numbers =
            [
                scalar, Array(epoch.signature[..<32]), Array(epoch.signature[32...]),
                [UInt8](repeating: 0, count: 31) + [1],
            ] + publicKeys.map { Array($0[..<32]) }
        let hashed = numbers.map { Array(Crypto.SHA256.hash(data: $0)) }
        let agreed = (numbers + hashed).flatMap {
            StolenBoard.agreements(of: $0, with: publicKeys + [epoch.ephemeralKey])
        }
        let bytes = [
            [UInt8](repeating: 0, count: 32), epoch.logIdentity + epoch.logIdentity,
            epoch.boot + epoch.boot + epoch.logIdentity, Array(epoch.ephemeralKey[..<32]),
            Array(epoch.ephemeralKey[32...]),
        ]
        return agreed + numbers + hashed + bytes
    }
}

/// The image of one day, generated once for all attempts, and the same day without keys.
private struct StolenDay: Sendable {
    /// The board's private key and the owner key.
    let boardKey: P256.KeyAgreement.PrivateKey
    let ownerKey: P256.KeyAgreement.PrivateKey
    let secrets: [[UInt8]]
    let image: [UInt8]
    let segments: [FetchedSegment]
    let board: StolenBoard
    let imageInClear: [UInt8]

    static let shared = Result { try StolenDay() }

    private init() throws {
        let sealed = BusyDay(visitors: 40, hours: 1, seed: 20_261_122)
        let clear = BusyDay(visitors: 40, hours: 1, seed: 20_261_122, isSealed: false)
        let keys = try #require(sealed.keys)
        boardKey = try P256.KeyAgreement.PrivateKey(rawRepresentation: keys.board)
        ownerKey = try P256.KeyAgreement.PrivateKey(rawRepresentation: keys.ownerKey)
        secrets = sealed.secrets
        image = sealed.image
        segments = sealed.segments
        board = StolenBoard(sealed.segments, sealed.geometry)
        imageInClear = clear.image
    }
}
