import FixedMemory
import HCI

/// The input is a btsnoop capture.
enum BtsnoopTarget {
    static func run(_ input: [UInt8]) throws(FuzzFinding) {
        let whole = try records(of: input, pieceByteCount: max(1, input.count))
        let pieces = try records(of: input, pieceByteCount: 7)
        try require(whole == pieces, "the same records however the file is read")
        let total = whole.reduce(0) { $0 + $1.count }
        try require(total <= input.count, "no more bytes in packets than in the file")
        try require(24 * whole.count <= input.count, "no more records than headers")
    }

    private static func records(of input: [UInt8], pieceByteCount: Int) throws(FuzzFinding) -> [[UInt8]] {
        guard var reader = try? BtsnoopReader() else { return [] }
        var packets: [[UInt8]] = []
        var offset = 0
        while offset < input.count {
            let taken = reader.fill { room in
                let count = min(room.count, pieceByteCount, input.count - offset)
                for index in 0..<count { room[index] = input[offset + index] }
                return count
            }
            try require(taken > 0, "an emptied reader has room")
            offset += taken
            do throws(BtsnoopError) {
                while let record = try reader.next() {
                    let packet = reader.packet(of: record).array
                    if record.kind != nil { packets.append(packet) }
                }
            } catch {
                return packets
            }
        }
        return packets
    }
}
