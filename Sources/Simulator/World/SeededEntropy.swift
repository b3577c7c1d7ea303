import Cryptography
import FlashSimulator

/// Random bytes for cryptography, from a seed: the same run makes the same keys. Whoever uses its ``entropy`` keeps it.
///
/// Fault model: none. Linux's getrandom, once the pool is ready, neither fails nor runs dry; that an agent refuses to make a
/// key when it does fail is shown in the tests of `Cryptography`.
final class SeededEntropy {
    private var stream: RandomStream

    init(_ stream: RandomStream) { self.stream = stream }

    var entropy: Entropy {
        Entropy(context: Unmanaged.passUnretained(self).toOpaque()) { context, bytes, count in
            guard let context, let bytes else { return Entropy.failure }
            let source = Unmanaged<SeededEntropy>.fromOpaque(context).takeUnretainedValue()
            for index in 0..<count { bytes[index] = UInt8(truncatingIfNeeded: source.stream.next()) }
            return 0
        }
    }
}
