import Captures
import CommandLineText

/// A zip file with captures, such as a bug report of Android.
struct CaptureArchive {
    private let file: CaptureFile
    private let directory: ZipDirectory

    static let magics: [[UInt8]] = [[0x50, 0x4b, 3, 4], [0x50, 0x4b, 5, 6]]
    /// The packed bytes that show whether an entry is a capture.
    private static let headByteCount = 8 << 10
    /// The number of names in a message.
    private static let namedCount = 10

    init(_ file: CaptureFile) throws(Failure) {
        self.file = file
        guard let byteCount = file.byteCount else {
            throw Failure(
                .data, "\(file.path): a zip file is read from its end; save it, and give its name")
        }
        let tailByteCount = min(byteCount, UInt64(ZipDirectory.tailByteCount))
        let tail = try file.read(at: byteCount - tailByteCount, count: Int(tailByteCount))
        do throws(ZipError) {
            let place = try ZipDirectory.place(tail: tail, fileByteCount: byteCount)
            directory = try Self.directory(place, file)
        } catch {
            throw Failure(error, file.path)
        }
    }

    private static func directory(
        _ place: ZipDirectory.Place, _ file: CaptureFile
    ) throws(ZipError) -> ZipDirectory {
        guard let bytes = try? file.read(at: place.offset, count: place.byteCount) else { throw .malformed }
        return try ZipDirectory(bytes, at: place)
    }

    /// Finds the entry to convert.
    ///
    /// - Parameter name: the name of an entry, with or without its folders; nil for the only capture.
    func entry(named name: String?) throws(Failure) -> ZipEntry {
        if let name { return try namedEntry(name) }
        let captures = directory.entries.filter(isCapture)
        guard let first = captures.first else {
            throw Failure(
                .data,
                "\(file.path): no entry of the zip file begins like a capture; in an Android bug report, switch "
                    + "on the Bluetooth HCI snoop log before you reproduce and report")
        }
        guard captures.count == 1 else {
            throw Failure(
                .usage,
                "\(file.path): has \(captures.count) captures; give one of them with --member: "
                    + Self.list(captures))
        }
        return first
    }

    private func namedEntry(_ name: String) throws(Failure) -> ZipEntry {
        let entries = directory.entries(named: name)
        guard let first = entries.first else {
            throw Failure(
                .noInput, "\(file.path): no entry \(name) in the zip file; `unzip -l` lists the entries")
        }
        guard entries.count == 1 else {
            throw Failure(
                .usage,
                "\(file.path): several entries are named \(name); give one of them: \(Self.list(entries))")
        }
        if let obstacle = first.obstacle { throw Failure(obstacle, "\(file.path): \(first.name)") }
        return first
    }

    /// The offset of the entry's packed contents in the file.
    func contentsOffset(of entry: ZipEntry) throws(Failure) -> UInt64 {
        let header = try file.read(at: entry.headerOffset, count: ZipEntry.headerByteCount)
        do throws(ZipError) { return try entry.contentsOffset(header: header) } catch {
            throw Failure(error, "\(file.path): \(entry.name)")
        }
    }

    private func isCapture(_ entry: ZipEntry) -> Bool {
        guard !entry.isFolder, entry.obstacle == nil, let offset = try? contentsOffset(of: entry) else {
            return false
        }
        let byteCount = Int(min(entry.packedByteCount, UInt64(Self.headByteCount)))
        guard let head = try? file.read(at: offset, count: byteCount) else { return false }
        var conversion = CaptureConversion(of: entry)
        conversion.append(head)
        conversion.complete()
        do throws(CaptureError) {
            while try conversion.next() != nil {}
        } catch {
            return conversion.isCapture
        }
        return conversion.isCapture
    }

    private static func list(_ entries: [ZipEntry]) -> String {
        let names = entries.prefix(namedCount).map { $0.name.replacing("\n", with: "?") }
        let more = entries.count - names.count
        return names.joined(separator: ", ") + (more > 0 ? " and \(more) more" : "")
    }
}

extension Failure {
    init(_ error: ZipError, _ path: String) {
        switch error {
        case .malformed:
            self.init(.data, "\(path): a damaged zip file; copy it again")
        case .tooLarge:
            self.init(
                .data, "\(path): too large for this program; unpack it with `unzip`, and give the capture")
        case .encrypted:
            self.init(.data, "\(path): encrypted; unpack it with `unzip`, and give the capture")
        case .otherCompression:
            self.init(.data, "\(path): not packed by deflate; unpack it with `unzip`, and give the capture")
        }
    }
}
