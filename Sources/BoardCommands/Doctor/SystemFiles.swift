import BoardCommandLine
import CLinux
import FixedMemory
import LinuxPlatform

/// The system's files, or those of another system below a folder.
struct SystemFiles {
    /// The folder; nil for this system.
    let folder: Argument?

    var isThisSystem: Bool { folder == nil }

    func path(_ path: StaticString) -> SystemPath {
        var whole = SystemPath()
        if let folder { whole.append(folder.span) }
        whole.append(path)
        return whole
    }

    /// Makes the path of a file: `start`, `name` and `end`, one after the other.
    func path(_ start: StaticString, _ name: Span<UInt8>, _ end: StaticString = "") -> SystemPath {
        var path = path(start)
        path.append(name)
        path.append(end)
        return path
    }

    func exists(_ path: StaticString) -> Bool { self.path(path).exists }

    /// Whether the file begins with these bytes.
    func file(_ path: SystemPath, beginsWith text: StaticString) -> Bool {
        var bytes = Bytes<32>()
        let start = path.read(&bytes)
        let count = text.utf8CodeUnitCount
        return count <= start && bytes.span.extracting(0..<count).isEqual(to: text)
    }

    /// Calls `body` with the name of each entry of a directory until it returns true.
    /// - Returns: whether it did.
    func forEachEntry(of path: StaticString, _ body: (Span<UInt8>) -> Bool) -> Bool {
        var directory = clinux_directory()
        let directoryPath = self.path(path)
        return withUnsafeMutablePointer(to: &directory) { directory in
            guard directoryPath.withCString({ clinux_open_directory($0, directory) }) == 0 else {
                return false
            }
            while let name = clinux_next_entry(directory) {
                var text = FixedBuffer<256>()
                try? text.append(cString: name)
                if body(text.span) {
                    while clinux_next_entry(directory) != nil {}  // closes it
                    return true
                }
            }
            return false
        }
    }
}

/// A path of fewer than 512 bytes. A longer one is cut, and then names nothing.
struct SystemPath {
    private var text = FixedBuffer<512>()

    mutating func append(_ part: StaticString) {
        for index in 0..<part.utf8CodeUnitCount where text.count < 511 {
            try? text.append(part.utf8Start[index])
        }
    }

    mutating func append(_ part: Span<UInt8>) {
        for index in part.indices where text.count < 511 { try? text.append(part[index]) }
    }

    /// Drops the last part; nil if the path has only one.
    var parent: SystemPath? {
        for index in (1..<max(text.count, 1)).reversed() where text[index] == UInt8(ascii: "/") {
            var parent = self
            parent.text = FixedBuffer<512>()
            for place in 0..<index { try? parent.text.append(text[place]) }
            return parent
        }
        return nil
    }

    var span: Span<UInt8> {
        @_transparent @_lifetime(borrow self) get { text.span }
    }

    var exists: Bool { withCString { clinux_exists($0) } == 1 }

    /// Reads the first bytes of the file.
    /// - Returns: their number; 0 if there is no such file.
    func read<let count: Int>(_ bytes: inout Bytes<count>) -> Int {
        max(0, withCString { bytes.readStart(of: $0) })
    }

    /// The storage is zero behind the text, which never fills it.
    func withCString<Result>(_ body: (UnsafePointer<CChar>) -> Result) -> Result {
        text.storageSpan.withUnsafeBytes { bytes in
            guard let start = bytes.baseAddress else { preconditionFailure("a path has room for its end") }
            return body(start.assumingMemoryBound(to: CChar.self))
        }
    }
}
