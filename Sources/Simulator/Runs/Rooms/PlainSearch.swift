/// Searches bytes for secrets. Any six consecutive bytes of a secret count as a finding.
public struct PlainSearch: Sendable {
    private static let length = 6
    private var needles: Set<UInt64> = []
    private var starts = [Bool](repeating: false, count: 65_536)

    public init(_ secrets: [[UInt8]]) {
        for secret in secrets where secret.count >= Self.length {
            for start in 0...secret.count - Self.length {
                let word = secret[start..<start + Self.length].reduce(0 as UInt64) { $0 << 8 | UInt64($1) }
                needles.insert(word)
                starts[Int(word >> 32)] = true
            }
        }
    }

    public func findings(in bytes: [UInt8]) -> Int {
        var count = 0
        var word: UInt64 = 0
        for (index, byte) in bytes.enumerated() {
            word = (word << 8 | UInt64(byte)) & 0xffff_ffff_ffff
            if index + 1 >= Self.length, starts[Int(word >> 32)], needles.contains(word) { count += 1 }
        }
        return count
    }
}
