import Cryptography

/// Random bytes for cryptography that are the same in every run, or an input could not be tried again.
final class FuzzEntropy {
    private var numbers = FuzzNumbers()

    /// Usable for as long as this is kept.
    var entropy: Entropy {
        Entropy(context: Unmanaged.passUnretained(self).toOpaque()) { context, bytes, count in
            guard let context, let bytes else { return Entropy.failure }
            let source = Unmanaged<FuzzEntropy>.fromOpaque(context).takeUnretainedValue()
            for index in 0..<count { bytes[index] = UInt8(truncatingIfNeeded: source.numbers.next() >> 32) }
            return 0
        }
    }
}

/// Numbers that look like random ones.
struct FuzzNumbers {
    private var state: UInt64 = 1

    mutating func next() -> UInt64 {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return state
    }
}
