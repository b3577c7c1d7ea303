import Cards
import Cryptography
import FixedMemory
import Updates

/// The input is a byte for the kind, then: 0 the header of an update file, 1 the same without its first nine
/// bytes, 2 a launcher's record, 3 the same without magic and checksum, 4 the pieces of an update file, each
/// an offset (2) and a length (1) before its bytes, others a Debian package.
enum UpdateTarget {
    static func run(_ input: [UInt8]) throws(FuzzFinding) {
        var script = Script(input)
        switch script.byte() {
        case 0: try readHeader(script.rest())
        case 1: try readHeader(Array("TABARDUP".utf8) + [1] + script.rest())
        case 2: try readRecord(script.rest())
        case 3: try readRecord(record(script.rest()))
        case 4: try receive(&script)
        default: _ = try? BoardPackage(path: "tabard_1.2.3_arm64.deb", bytes: script.rest()).agent
        }
    }

    private static func readHeader(_ bytes: [UInt8]) throws(FuzzFinding) {
        guard let header = UpdateHeader(bytes.span) else { return }
        try require(header.imageByteCount > 0, "an update has an image")
        try require(header.imageByteCount <= UpdateHeader.largestImageByteCount, "an image has a limit")
        let written = header.signedBytes.span.array + Array(repeating: 0, count: 64)
        try require(UpdateHeader(written.span) == header, "a header written again is the same")
        try require(!header.isOlder(than: header.version), "no version is older than itself")
    }

    private static func record(_ content: [UInt8]) -> [UInt8] {
        var record = Array("TUR1".utf8) + content.prefix(148)
        record += Array(repeating: 0, count: UpdateRecord.byteCount - 4 - record.count)
        let sum = CRC32.checksum(of: record.span)
        return record + (0..<4).map { UInt8(truncatingIfNeeded: sum >> UInt32(8 * $0)) }
    }

    private static func readRecord(_ bytes: [UInt8]) throws(FuzzFinding) {
        guard var record = UpdateRecord(bytes.span) else { return }
        let written = record.bytes
        try require(UpdateRecord(written.span) == record, "a record written again is the same")
        // The launcher's loop: each round counts a start or goes back.
        var rounds = 0
        while record.slot != .package, record.state == .trial {
            if !record.countStart() { record.fallBack() }
            rounds += 1
            try require(rounds <= 8, "a trial ends")
        }
    }

    /// Whatever pieces come, what is taken is the beginning of the announced file.
    private static func receive(_ script: inout Script) throws(FuzzFinding) {
        let content = (0..<600).map { UInt8(truncatingIfNeeded: $0) }
        var reception = UpdateReception()
        reception.begin(byteCount: 600, digest: SHA256.digest(of: content.span))
        var taken: [UInt8] = []
        while !script.isAtEnd, !reception.isComplete {
            let offset = UInt32(script.word())
            let piece = script.chunk()
            switch reception.judge(piece.span, at: offset) {
            case .take:
                reception.take(piece.span)
                taken += piece
            case .skip, .tooLong, .notAnnounced: break
            }
            try require(taken.count == Int(reception.receivedByteCount), "each piece is counted once")
            try require(taken.count <= content.count, "no more than announced")
        }
        if reception.isComplete {
            try require(reception.takeVerdict() == (taken == content), "only the announced file is taken")
        }
    }
}
