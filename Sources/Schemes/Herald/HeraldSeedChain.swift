import Cryptography
import FixedMemory

/// A walk down one of Herald's hash chains, in portions.
///
///     seed[last]  = H(secret)
///     seed[n]     = H(first 16 bytes of seed[n + 1])
///     key[n]      = H(seed[n] xor seed[n - 1])
///
/// H is SHA-256. The chain can only be walked down: a seed gives the seeds before it and none after it, and a
/// key gives no seed at all. Herald uses two such chains: from the secret to a day's key, and from that to a
/// period's.
struct HeraldSeedChain: BitwiseCopyable, Sendable {
    private var seed: Bytes<32>
    private var index: Int
    private let wanted: Int

    /// - Parameters:
    ///   - lastSeed: the seed with index `last`.
    ///   - wanted: the index of the key to compute, from 0 through `last`.
    init(lastSeed: Bytes<32>, last: Int, wanted: Int) {
        precondition(wanted >= 0 && wanted <= last)
        seed = lastSeed
        index = last
        self.wanted = wanted
    }

    /// The number of hashes still to be computed.
    var hashCount: Int { index - wanted + 2 }

    /// Computes as many hashes as `allowance` permits, and subtracts them from it.
    /// - Returns: the key; nil while there is more to do.
    mutating func advance(_ allowance: inout Int) -> Bytes<32>? {
        guard descend(toStepsBefore: 0, &allowance), allowance >= 2 else { return nil }
        allowance -= 2
        return Self.key(seed, Self.seed(before: seed))
    }

    /// Walks down to `steps` steps before the wanted key, as far as `allowance` permits.
    /// - Returns: whether it arrived there.
    mutating func descend(toStepsBefore steps: Int, _ allowance: inout Int) -> Bool {
        while index > wanted + steps {
            guard allowance > 0 else { return false }
            allowance -= 1
            seed = Self.seed(before: seed)
            index -= 1
        }
        return true
    }

    /// The next key, from the last down to the wanted one; nil after that.
    mutating func next() -> (index: Int, key: Bytes<32>)? {
        guard index >= wanted else { return nil }
        let before = Self.seed(before: seed)
        let key = Self.key(seed, before)
        defer {
            seed = before
            index -= 1
        }
        return (index, key)
    }

    mutating func wipe() { seed.wipe() }

    private static func key(_ seed: Bytes<32>, _ before: Bytes<32>) -> Bytes<32> {
        var mixed = Bytes<32>()
        for place in 0..<32 { mixed[place] = seed[place] ^ before[place] }
        return SHA256.digest(of: mixed.span)
    }

    private static func seed(before seed: Bytes<32>) -> Bytes<32> {
        SHA256.digest(of: seed.span.extracting(0..<16))
    }
}
