import Cryptography
import TestSupport

/// Random bytes for cryptography that are the same in every run, so that a finding can be reproduced.
final class FuzzEntropy {
    private var generator = SeededGenerator(seed: 1)

    /// A source that is valid as long as this object exists.
    var entropy: Entropy {
        Entropy(context: Unmanaged.passUnretained(self).toOpaque()) { context, bytes, count in
            guard let context, let bytes else { return Entropy.failure }
            let source = Unmanaged<FuzzEntropy>.fromOpaque(context).takeUnretainedValue()
            for index in 0..<count { bytes[index] = UInt8(truncatingIfNeeded: source.generator.next()) }
            return 0
        }
    }
}
