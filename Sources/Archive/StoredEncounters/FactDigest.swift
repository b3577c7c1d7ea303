import Cryptography
import FixedMemory
import Foundation

/// Sixteen bytes that differ when facts differ: the first half of SHA-256 over them, in their order.
struct FactDigest {
    private var bytes: [UInt8] = []

    mutating func add(_ number: Int64) {
        for place in 0..<8 { bytes.append(UInt8(truncatingIfNeeded: number >> (place * 8))) }
    }

    mutating func add(_ number: Double) { add(Int64(bitPattern: number.bitPattern)) }

    /// A missing number differs from every other.
    mutating func add(optional number: Int64?) {
        bytes.append(number == nil ? 0 : 1)
        if let number { add(number) }
    }

    mutating func add(_ content: some Collection<UInt8>) {
        add(Int64(content.count))
        bytes += content
    }

    var data: Data { Data([UInt8](copying: SHA256.digest(of: bytes.span).span).prefix(16)) }
}
