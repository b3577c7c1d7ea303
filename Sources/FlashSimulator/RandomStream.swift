import FixedMemory

/// A random number generator with a seed (SplitMix64) that gives the same numbers on every machine.
///
/// Each consumer splits off a stream of its own by name. An additional draw in one place therefore changes
/// nothing elsewhere.
public struct RandomStream: RandomNumberGenerator, Sendable {
    private let seed: UInt64
    @usableFromInline var state: UInt64

    public init(seed: UInt64) {
        self.seed = seed
        state = seed
    }

    @inlinable
    public mutating func next() -> UInt64 {
        state &+= 0x9e37_79b9_7f4a_7c15
        return Self.mix(state)
    }

    /// Returns a stream that depends only on this stream's seed and the name, not on earlier draws.
    public func split(_ name: String) -> RandomStream {
        var hash: UInt64 = 0xcbf2_9ce4_8422_2325
        for byte in name.utf8 { hash = (hash ^ UInt64(byte)) &* 0x0000_0100_0000_01b3 }
        return RandomStream(seed: Self.mix(seed ^ Self.mix(hash)))
    }

    @inlinable
    public static func mix(_ value: UInt64) -> UInt64 {
        var mixed = value
        mixed = (mixed ^ (mixed >> 30)) &* 0xbf58_476d_1ce4_e5b9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
        return mixed ^ (mixed >> 31)
    }

    /// 0 up to, and without, `bound`; 0 for 0.
    @inlinable
    public mutating func below(_ bound: UInt64) -> UInt64 { next().multipliedFullWidth(by: bound).high }

    @inlinable
    public mutating func chance(_ probability: Double) -> Bool {
        Double(next() >> 11) * 0x1p-53 < probability
    }

    /// Near enough to a normal distribution of mean 0 and deviation 1, from one draw: no value beyond ±4.9.
    public mutating func normal() -> Double { Self.normal(from: next()) }

    /// The sum of eight bytes, which has mean 1,020 and deviation 209.
    @inlinable
    package static func normal(from bits: UInt64) -> Double {
        let pairs = (bits & 0x00ff_00ff_00ff_00ff) &+ (bits >> 8 & 0x00ff_00ff_00ff_00ff)
        let sum = (pairs &* 0x0001_0001_0001_0001) >> 48
        return (Double(sum) - 1_020) * (1 / 209.023)
    }

    public mutating func bytes(_ count: Int) -> [UInt8] {
        (0..<count).map { _ in UInt8(truncatingIfNeeded: next()) }
    }

    public mutating func bytes<let count: Int>() -> Bytes<count> {
        var bytes = Bytes<count>()
        for index in 0..<count { bytes[index] = UInt8(truncatingIfNeeded: next()) }
        return bytes
    }
}
