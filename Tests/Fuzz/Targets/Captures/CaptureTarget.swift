import Captures
import FixedMemory
import HCI

/// The input is a capture of any form, perhaps in gzip.
enum CaptureTarget {
    static func run(_ input: [UInt8]) throws(FuzzFinding) {
        let whole = try Conversion(of: input, pieceByteCount: max(1, input.count))
        let pieces = try Conversion(of: input, pieceByteCount: 7)
        try require(whole == pieces, "the same result however the file is read")
        try whole.hold()
    }

    /// A conversion and its result.
    struct Conversion: Equatable {
        var result: [UInt8] = []
        var summary: ConversionSummary
        var error: CaptureError?

        init(of input: [UInt8], entry: ZipEntry? = nil, pieceByteCount: Int) throws(FuzzFinding) {
            var conversion = CaptureConversion(of: entry)
            var rest = input[...]
            var isComplete = false
            do throws(CaptureError) {
                while !isComplete {
                    isComplete = rest.isEmpty
                    if isComplete {
                        conversion.complete()
                    } else {
                        conversion.append(Array(rest.prefix(pieceByteCount)))
                    }
                    rest = rest.dropFirst(pieceByteCount)
                    while let piece = try conversion.next() { result += piece }
                }
            } catch {
                self.error = error
            }
            summary = conversion.summary
        }

        /// The reader of `tabard replay` finds all packets in the result, and no flaw.
        func hold() throws(FuzzFinding) {
            guard var reader = try? BtsnoopReader() else { return }
            var offset = 0
            var count = 0
            while offset < result.count {
                offset += reader.fill { room in
                    let count = min(room.count, result.count - offset)
                    for index in 0..<count { room[index] = result[offset + index] }
                    return count
                }
                do throws(BtsnoopError) {
                    while try reader.next() != nil { count += 1 }
                } catch {
                    throw FuzzFinding(description: "does not hold: the result is a capture: \(error)")
                }
            }
            try require(reader.waitingByteCount == 0, "the result ends with a record")
            try require(count == summary.packetCount, "the result has the packets that were counted")
        }
    }
}
