import Captures
import CommandLineText
import Foundation

/// The file that a capture is read from, or standard input.
final class CaptureFile {
    let path: String
    private let descriptor: Int32
    private let status: stat

    static let pieceByteCount = 64 << 10

    init(_ path: String) throws(Failure) {
        self.path = path
        descriptor = path == "-" ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else {
            throw Failure(
                errno == EACCES ? .noPermission : .noInput, "\(path): \(String(cString: strerror(errno)))")
        }
        var status = stat()
        guard fstat(descriptor, &status) == 0 else {
            throw Failure(.inputOutput, "\(path): \(String(cString: strerror(errno)))")
        }
        self.status = status
        guard status.st_mode & S_IFMT != S_IFDIR else {
            throw Failure(.noInput, "\(path): a folder; give the capture in it")
        }
    }

    deinit { if descriptor != STDIN_FILENO { close(descriptor) } }

    /// The length of a plain file; nil for a pipe or a device.
    var byteCount: UInt64? { status.st_mode & S_IFMT == S_IFREG ? UInt64(clamping: status.st_size) : nil }

    /// Whether a path leads to this file.
    func isSame(as path: String) -> Bool {
        var other = stat()
        return stat(path, &other) == 0 && other.st_dev == status.st_dev && other.st_ino == status.st_ino
    }

    /// Reads the next bytes; none at the end.
    func read() throws(Failure) -> [UInt8] {
        try read(Self.pieceByteCount) { [descriptor] in Foundation.read(descriptor, $0.baseAddress, $0.count)
        }
    }

    /// Reads up to `count` bytes at an offset of a plain file, fewer only at its end.
    func read(at offset: UInt64, count: Int) throws(Failure) -> [UInt8] {
        var bytes: [UInt8] = []
        while bytes.count < count {
            let place = off_t(clamping: offset + UInt64(bytes.count))
            let more = try read(count - bytes.count) { [descriptor] in
                pread(descriptor, $0.baseAddress, $0.count, place)
            }
            guard !more.isEmpty else { break }
            bytes += more
        }
        return bytes
    }

    private func read(_ count: Int, _ call: (UnsafeMutableRawBufferPointer) -> Int) throws(Failure) -> [UInt8]
    {
        var bytes = [UInt8](repeating: 0, count: count)
        while true {
            let found = bytes.withUnsafeMutableBytes(call)
            if found < 0, errno == EINTR { continue }
            guard found >= 0 else {
                throw Failure(.inputOutput, "\(path): \(String(cString: strerror(errno)))")
            }
            bytes.removeLast(count - found)
            return bytes
        }
    }
}
