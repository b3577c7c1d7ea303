import Archive
import LogContents

/// Counts distinct peers in bounded memory: exactly up to ``limit``, and beyond that as an estimate.
///
/// Each peer has a digest that is as good as random. Once there are too many, only those below a limit are
/// kept, and that limit is halved as often as needed. So the result does not depend on the order.
struct PeerTally: Sendable, Equatable {
    /// The maximum number of digests in memory. The estimate is then good to about half a percent.
    static let limit = 131_072

    private var digests: Set<UInt64> = []
    /// Only digests with so many leading zero bits are kept.
    private var zeroBitCount = 0

    mutating func add(_ digest: UInt64) {
        guard digest.leadingZeroBitCount >= zeroBitCount, digests.insert(digest).inserted else { return }
        while digests.count > Self.limit {
            zeroBitCount += 1
            let needed = zeroBitCount
            digests = digests.filter { $0.leadingZeroBitCount >= needed }
        }
    }

    var count: Int { digests.count << zeroBitCount }
    var isExact: Bool { zeroBitCount == 0 }
}

extension Peer {
    /// A digest that is the same in each run of the program.
    var digest: UInt64 {
        var digest = StableDigest()
        switch self {
        case .identity(let identity):
            digest.add(1)
            digest.add(identity.scheme.rawValue)
            digest.add(identity.distinguishingBytes)
        case .venue(let country, let state, let location):
            digest.add(2)
            for byte in [country.littleEndian, state.littleEndian] {
                withUnsafeBytes(of: byte) { digest.add($0) }
            }
            withUnsafeBytes(of: location.littleEndian) { digest.add($0) }
        case .address(let board, let addresses):
            digest.add(3)
            digest.add(board.bytes)
            for address in addresses { digest.add(address.bytes + [address.type]) }
        }
        return digest.value
    }
}

/// FNV-1a with 64 bits, and a final step that spreads each bit over all.
struct StableDigest {
    private var state: UInt64 = 0xcbf2_9ce4_8422_2325

    mutating func add(_ byte: UInt8) { state = (state ^ UInt64(byte)) &* 0x0000_0100_0000_01b3 }

    mutating func add(_ bytes: some Sequence<UInt8>) { for byte in bytes { add(byte) } }

    var value: UInt64 {
        var value = (state ^ (state >> 30)) &* 0xbf58_476d_1ce4_e5b9
        value = (value ^ (value >> 27)) &* 0x94d0_49bb_1331_11eb
        return value ^ (value >> 31)
    }
}
