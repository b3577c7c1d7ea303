import Cryptography
import EncounterLog
import FixedMemory

/// Keys from a seed, with the seals made from them.
final class SimulatedSealing {
    /// The random stream of the current seal. A caller that uses another stream for a while restores this
    /// one.
    var stream: RandomStream
    private let ownerScalar: Bytes<32>
    private let boardScalar: Bytes<32>
    private let ownerKey: P256PublicKey
    private let boardKey: P256PublicKey

    init(_ stream: RandomStream) throws(CryptographyError) {
        self.stream = stream
        var numbers = stream.split("keys")
        let ownerScalar = Self.scalar(&numbers)
        self.ownerScalar = ownerScalar
        let boardScalar = Self.scalar(&numbers)
        self.boardScalar = boardScalar
        boardKey = try P256PrivateKey(scalar: boardScalar, entropy: .system).publicKey
        ownerKey = try P256PrivateKey(scalar: ownerScalar, entropy: .system).publicKey
    }

    /// Makes a seal that draws from `stream` from now on. The same stream gives the same seal.
    func seal(_ stream: RandomStream) throws(CryptographyError) -> LogSeal {
        self.stream = stream
        return LogSeal(
            ownerKey: ownerKey, boardScalar: boardScalar, boardKey: boardKey, entropy: entropy)
    }

    func opener() throws(CryptographyError) -> PageOpener {
        PageOpener(
            ownerKey: try P256PrivateKey(scalar: ownerScalar, entropy: .system), entropy: .system)
    }

    /// The source of the seal's random bytes. It must not outlive this object.
    private var entropy: Entropy {
        Entropy(context: Unmanaged.passUnretained(self).toOpaque()) { context, bytes, byteCount in
            guard let context, let bytes else { return Entropy.failure }
            let sealing = Unmanaged<SimulatedSealing>.fromOpaque(context).takeUnretainedValue()
            for index in 0..<byteCount { bytes[index] = UInt8(truncatingIfNeeded: sealing.stream.next()) }
            return 0
        }
    }

    /// A scalar with four leading zero bytes. So it is below the group's order, which has 32 leading one
    /// bits.
    private static func scalar(_ stream: inout RandomStream) -> Bytes<32> {
        var scalar = Bytes<32>()
        for index in 4..<32 { scalar[index] = UInt8(truncatingIfNeeded: stream.next()) }
        return scalar
    }
}
