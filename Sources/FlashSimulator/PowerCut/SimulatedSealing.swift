import Cryptography
import EncounterLog
import FixedMemory

/// Keys from a seed, and seals made with them.
final class SimulatedSealing {
    /// Of the seal that is in use: who seals with another meanwhile puts this one back.
    var stream: RandomStream
    private let openingScalar: Bytes<32>
    private let boardScalar: Bytes<32>
    private let openingKey: P256PublicKey

    init(_ stream: RandomStream) throws(CryptographyError) {
        self.stream = stream
        var numbers = stream.split("keys")
        let openingScalar = Self.scalar(&numbers)
        self.openingScalar = openingScalar
        boardScalar = Self.scalar(&numbers)
        openingKey = try P256PrivateKey(scalar: openingScalar, entropy: .system).publicKey
    }

    /// From here on random numbers come from `stream`: with the same one it is the same seal.
    func seal(_ stream: RandomStream) throws(CryptographyError) -> LogSeal {
        self.stream = stream
        return LogSeal(openingKey: openingKey, boardScalar: boardScalar, entropy: entropy)
    }

    func opener() throws(CryptographyError) -> PageOpener {
        PageOpener(
            openingKey: try P256PrivateKey(scalar: openingScalar, entropy: .system), entropy: .system)
    }

    /// Only while this lives.
    private var entropy: Entropy {
        Entropy(context: Unmanaged.passUnretained(self).toOpaque()) { context, bytes, byteCount in
            guard let context, let bytes else { return Entropy.failure }
            let sealing = Unmanaged<SimulatedSealing>.fromOpaque(context).takeUnretainedValue()
            for index in 0..<byteCount { bytes[index] = UInt8(truncatingIfNeeded: sealing.stream.next()) }
            return 0
        }
    }

    /// Below the group's order, which begins with 32 ones.
    private static func scalar(_ stream: inout RandomStream) -> Bytes<32> {
        var scalar = Bytes<32>()
        for index in 4..<32 { scalar[index] = UInt8(truncatingIfNeeded: stream.next()) }
        return scalar
    }
}
