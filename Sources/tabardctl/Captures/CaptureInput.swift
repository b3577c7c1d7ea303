import Captures
import CommandLineText

/// The bytes of one capture: a file, or an entry of a zip file as it is packed.
struct CaptureInput {
    /// The name of the capture in messages.
    let name: String
    let entry: ZipEntry?
    private let file: CaptureFile
    private var part: Part

    private enum Part {
        /// The pieces that were read to recognise a zip file, then the rest of the file.
        case file([UInt8]?)
        case entry(offset: UInt64, rest: UInt64)
    }

    /// - Parameter member: the name of the capture if the file is a zip file with several.
    init(_ file: CaptureFile, member: String?) throws(Failure) {
        self.file = file
        let first = try file.read()
        guard CaptureArchive.magics.contains(where: { first.starts(with: $0) }) else {
            guard member == nil else { throw Failure(.usage, "\(file.path): not a zip file; omit --member") }
            name = file.path
            entry = nil
            part = .file(first)
            return
        }
        let archive = try CaptureArchive(file)
        let entry = try archive.entry(named: member)
        self.entry = entry
        name = "\(file.path): \(entry.name)"
        part = .entry(offset: try archive.contentsOffset(of: entry), rest: entry.packedByteCount)
    }

    /// Reads the next piece; an empty one at the end.
    mutating func next() throws(Failure) -> [UInt8] {
        switch part {
        case .file(let first):
            part = .file(nil)
            return if let first { first } else { try file.read() }
        case .entry(let offset, let rest):
            let count = min(rest, UInt64(CaptureFile.pieceByteCount))
            let piece = try file.read(at: offset, count: Int(count))
            part = .entry(offset: offset + UInt64(piece.count), rest: rest - UInt64(piece.count))
            return piece
        }
    }
}
