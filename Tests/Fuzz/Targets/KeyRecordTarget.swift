import Agent
import Cryptography
import DeviceSync
import FixedMemory
import FlashSimulator
import Simulator

/// The input is a byte of flags, then the record of a board's keys. With flag 1 it is only the part between
/// version and checksum, which the target adds.
enum KeyRecordTarget {
    static func run(_ input: [UInt8]) throws(FuzzFinding) {
        var script = Script(input)
        let flags = script.byte()
        let bytes = flags & 1 == 0 ? script.rest() : record(script.rest())
        let source = SeededEntropy(RandomStream(seed: 1))
        // The context is a bare pointer, so the source must outlive its use.
        defer { withExtendedLifetime(source) {} }
        guard let keys = try? BoardKeyRecord.decode(bytes.span, entropy: source.entropy) else { return }
        try require(bytes.count == BoardKeyRecord.byteCount, "a record has one length")
        try require(keys.boardScalar.span.array == Array(bytes[10..<42]), "the board's number is as kept")
        let again = BoardKeyRecord.encode(keys)
        let read = try? BoardKeyRecord.decode(again.span, entropy: source.entropy)
        try require(read == keys, "keys written again are the same")
    }

    private static func record(_ content: [UInt8]) -> [UInt8] {
        var record = Array("TABARDKY".utf8) + [1] + content.prefix(163)
        record += Array(repeating: 0, count: 172 - record.count)
        let sum = CRC32.checksum(of: record.span)
        return record + (0..<4).map { UInt8(truncatingIfNeeded: sum >> UInt32(24 - 8 * $0)) }
    }
}
