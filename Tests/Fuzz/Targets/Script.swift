import FixedMemory

/// Reads an input step by step; the first bytes often choose an operation on the rest. Past the end all
/// values are zero or empty.
struct Script {
    private let bytes: [UInt8]
    private var offset = 0

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    var isAtEnd: Bool { offset == bytes.count }

    mutating func byte() -> UInt8 {
        guard offset < bytes.count else { return 0 }
        defer { offset += 1 }
        return bytes[offset]
    }

    mutating func word() -> UInt16 { UInt16(byte()) | UInt16(byte()) << 8 }

    /// Returns up to `count` bytes.
    mutating func take(_ count: Int) -> [UInt8] {
        let end = min(bytes.count, offset + count)
        defer { offset = end }
        return Array(bytes[offset..<end])
    }

    /// Reads a length byte and then that number of bytes.
    mutating func chunk() -> [UInt8] {
        let count = Int(byte())
        return take(count)
    }

    mutating func rest() -> [UInt8] { take(bytes.count) }
}

extension Span where Element == UInt8 {
    var array: [UInt8] { indices.map { self[$0] } }
}
