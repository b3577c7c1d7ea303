import Cryptography
import FixedMemory

/// A walk down one of Herald's hash chains, in portions.
///
///     seed[last]  = H(secret)
///     seed[n]     = H(first 16 bytes of seed[n + 1])
///     key[n]      = H(seed[n] xor seed[n - 1])
///
/// H is SHA-256. The chain can be walked only down: who holds a seed has those before it and none after it; who holds a
/// key has no seed at all. It is walked twice: from the secret to a day's key, and from that to a period's.
struct HeraldSeedChain: BitwiseCopyable, Sendable {
    private var seed: Bytes<32>
    private var index: Int
    private let wanted: Int

    /// `lastSeed` has the index `last`; the key with the index `wanted`, from 0 through `last`, is looked for.
    init(lastSeed: Bytes<32>, last: Int, wanted: Int) {
        precondition(wanted >= 0 && wanted <= last)
        seed = lastSeed
        index = last
        self.wanted = wanted
    }

    /// Hashes that are still to be made.
    var hashCount: Int { index - wanted + 2 }

    /// Goes on, for as many hashes as `allowance` has, and takes those that it has made from it.
    /// - Returns: the key; nil while there is more to do.
    mutating func advance(_ allowance: inout Int) -> Bytes<32>? {
        guard descend(toStepsBefore: 0, &allowance), allowance >= 2 else { return nil }
        allowance -= 2
        return Self.key(seed, Self.seed(before: seed))
    }

    /// Goes to so many steps before the key wanted, as far as `allowance` goes.
    /// - Returns: whether it is there.
    mutating func descend(toStepsBefore steps: Int, _ allowance: inout Int) -> Bool {
        while index > wanted + steps {
            guard allowance > 0 else { return false }
            allowance -= 1
            seed = Self.seed(before: seed)
            index -= 1
        }
        return true
    }

    /// One key after another, from the last down to the one wanted; nil after that.
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
