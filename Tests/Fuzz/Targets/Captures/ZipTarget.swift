import Captures

/// The input is a zip file. Each of its entries is converted.
enum ZipTarget {
    private static let convertedCount = 8

    static func run(_ input: [UInt8]) throws(FuzzFinding) {
        let tail = Array(input.suffix(ZipDirectory.tailByteCount))
        guard let place = try? ZipDirectory.place(tail: tail, fileByteCount: UInt64(input.count)) else {
            return
        }
        try require(place.offset + UInt64(place.byteCount) <= input.count, "the list is in the file")
        let list = Array(input.dropFirst(Int(place.offset)).prefix(place.byteCount))
        guard let directory = try? ZipDirectory(list, at: place) else { return }
        try require(46 * directory.entries.count <= list.count, "no more entries than headers")
        for entry in directory.entries.prefix(convertedCount) {
            let header = Array(input.dropFirst(Int(entry.headerOffset)).prefix(ZipEntry.headerByteCount))
            guard let offset = try? entry.contentsOffset(header: header) else { continue }
            let packed = Array(input.dropFirst(Int(offset)).prefix(Int(entry.packedByteCount)))
            let whole = try CaptureTarget.Conversion(
                of: packed, entry: entry, pieceByteCount: max(1, packed.count))
            let pieces = try CaptureTarget.Conversion(of: packed, entry: entry, pieceByteCount: 7)
            try require(whole == pieces, "the same result however the entry is read")
            try whole.hold()
            try require(!directory.entries(named: entry.name).isEmpty, "an entry is found by its name")
        }
    }
}
