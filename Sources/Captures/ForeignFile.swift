/// A file that is not a capture, recognised by its first bytes.
public enum ForeignFile: Equatable, Sendable {
    case empty
    /// A capture of a known form that ends within its header.
    case cutHeader
    case html
    /// A pointer of Git LFS, which stands for a file that was not fetched.
    case lfsPointer
    /// The text of a bug report with a capture in it, as Android's btsnooz writes it.
    case btsnooz
    case text
    /// A capture of Solaris's snoop, whose header resembles that of btsnoop.
    case snoop
    case zip
    /// A tar archive, such as the sysdiagnose of an iPhone once its gzip is unpacked.
    case tar
    /// Anything else, with its first bytes.
    case unknown([UInt8])

    private static let shownByteCount = 8

    /// - Parameter head: the first bytes of a file, or all of them.
    init(_ head: ArraySlice<UInt8>) {
        if head.isEmpty {
            self = .empty
        } else if head.starts(with: "snoop\0\0\0".utf8) {
            self = .snoop
        } else if head.starts(with: [0x50, 0x4b, 3, 4]) {
            self = .zip
        } else if head.dropFirst(257).starts(with: "ustar".utf8) {
            self = .tar
        } else if head.starts(with: "version https://git-lfs".utf8) {
            self = .lfsPointer
        } else if Self.isText(head) {
            self = Self.text(head)
        } else {
            self = .unknown(Array(head.prefix(Self.shownByteCount)))
        }
    }

    private static func text(_ head: ArraySlice<UInt8>) -> ForeignFile {
        let text = String(decoding: head, as: UTF8.self).lowercased()
        if text.contains("btsnoop_log_summary") { return .btsnooz }
        let start = text.drop { $0.isWhitespace || $0 == "\u{feff}" }
        return start.hasPrefix("<!doctype") || start.hasPrefix("<html") ? .html : .text
    }

    private static func isText(_ head: ArraySlice<UInt8>) -> Bool {
        head.allSatisfy { byte in
            switch byte {
            case 0x09, 0x0a, 0x0c, 0x0d, 0x20...0x7e, 0x80...0xff: true
            default: false
            }
        } && head.contains { $0 < 0x80 }
    }
}
