import Cryptography
import FlashSimulator

/// Random bytes for cryptography, drawn from a seed: the same run makes the same keys. The user of
/// ``entropy`` must keep this object alive.
///
/// Fault model: none, unless a test sets ``repeats``. Linux's getrandom neither fails nor runs dry once the
/// pool is ready. The tests of `Cryptography` show that an agent refuses to make a key if it does fail.
package final class SeededEntropy {
    private var stream: RandomStream
    /// Whether the source gives the same bytes again and again, as a test may have it.
    package var repeats = false

    package init(_ stream: RandomStream) { self.stream = stream }

    /// A source that is valid as long as this object exists.
    package var entropy: Entropy {
        Entropy(context: Unmanaged.passUnretained(self).toOpaque()) { context, bytes, count in
            guard let context, let bytes else { return Entropy.failure }
            let source = Unmanaged<SeededEntropy>.fromOpaque(context).takeUnretainedValue()
            for index in 0..<count {
                bytes[index] = source.repeats ? 5 : UInt8(truncatingIfNeeded: source.stream.next())
            }
            return 0
        }
    }
}
