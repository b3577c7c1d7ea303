/// The list of entries at the end of a zip file. Source: PKWARE's APPNOTE 6.3.
///
/// `Authority` reads zip files as well: those of published keys, in memory and with few entries. Android's
/// bug reports have thousands of entries and hundreds of megabytes, so this reader gets only the parts of the
/// file that it asks for.
public struct ZipDirectory {
    public let entries: [ZipEntry]

    /// The longest list that is read.
    public static let maximumByteCount: UInt64 = 16 << 20
    /// The bytes at the end of a file that may contain its end record.
    public static let tailByteCount = endByteCount + Int(UInt16.max)
    private static let endByteCount = 22
    private static let entryByteCount = 46

    /// Where the list stands in the file.
    public struct Place: Equatable, Sendable {
        public var offset: UInt64
        public var byteCount: Int
        var entryCount: Int
    }

    /// Finds the list.
    ///
    /// - Parameter tail: the last bytes of the file, ``tailByteCount`` or all of them.
    public static func place(tail: [UInt8], fileByteCount: UInt64) throws(ZipError) -> Place {
        let order = ByteOrder.little
        let last = tail.count - endByteCount
        guard last >= 0, tail.count <= tailByteCount, UInt64(tail.count) <= fileByteCount else {
            throw .malformed
        }
        let end = (0...last).reversed().first { offset in
            tail[offset...].starts(with: [0x50, 0x4b, 5, 6])
                && offset + endByteCount + Int(order.number(tail[offset + 20..<offset + 22]) as UInt16)
                    == tail.count
        }
        guard let end else { throw .malformed }
        let disk: UInt32 = order.number(tail[end + 4..<end + 8])
        let count: UInt16 = order.number(tail[end + 10..<end + 12])
        let byteCount: UInt32 = order.number(tail[end + 12..<end + 16])
        let offset: UInt32 = order.number(tail[end + 16..<end + 20])
        guard count != .max, byteCount != .max, offset != .max else { throw .tooLarge }
        let limit = fileByteCount - UInt64(tail.count - end)
        guard disk == 0, UInt64(offset) + UInt64(byteCount) <= limit else { throw .malformed }
        guard UInt64(byteCount) <= maximumByteCount else { throw .tooLarge }
        return Place(offset: UInt64(offset), byteCount: Int(byteCount), entryCount: Int(count))
    }

    /// Parses the list.
    ///
    /// - Parameter bytes: the bytes at the place.
    public init(_ bytes: [UInt8], at place: Place) throws(ZipError) {
        var entries: [ZipEntry] = []
        var rest = bytes[...]
        for _ in 0..<place.entryCount {
            guard rest.count >= Self.entryByteCount, rest.starts(with: [0x50, 0x4b, 1, 2]) else {
                throw .malformed
            }
            let header = Array(rest.prefix(Self.entryByteCount))
            let nameByteCount = Int(ByteOrder.little.number(header[28..<30]) as UInt16)
            let extraByteCount = Int(ByteOrder.little.number(header[30..<32]) as UInt16)
            let commentByteCount = Int(ByteOrder.little.number(header[32..<34]) as UInt16)
            let byteCount = Self.entryByteCount + nameByteCount + extraByteCount + commentByteCount
            guard rest.count >= byteCount else { throw .malformed }
            let name = rest.dropFirst(Self.entryByteCount).prefix(nameByteCount)
            entries.append(ZipEntry(header, name: String(decoding: name, as: UTF8.self)))
            rest = rest.dropFirst(byteCount)
        }
        self.entries = entries
    }

    /// Returns the entries of this name; or if there are none, those with this name in any folder.
    public func entries(named name: String) -> [ZipEntry] {
        let exact = entries.filter { $0.name == name }
        return exact.isEmpty ? entries.filter { $0.name.hasSuffix("/" + name) } : exact
    }
}

/// One file in a zip file.
public struct ZipEntry: Equatable, Sendable {
    public let name: String
    public let packedByteCount: UInt64
    public let byteCount: UInt64
    /// The offset in the zip file of the header before the contents.
    public let headerOffset: UInt64
    let checksum: UInt32
    private let flags: UInt16
    private let method: UInt16

    /// The length of the header before the contents, without name and extra fields.
    public static let headerByteCount = 30

    /// - Parameter header: the 46 bytes of the entry in the list.
    init(_ header: [UInt8], name: String) {
        let order = ByteOrder.little
        self.name = name
        flags = order.number(header[8..<10])
        method = order.number(header[10..<12])
        checksum = order.number(header[16..<20])
        packedByteCount = UInt64(order.number(header[20..<24]) as UInt32)
        byteCount = UInt64(order.number(header[24..<28]) as UInt32)
        headerOffset = UInt64(order.number(header[42..<46]) as UInt32)
    }

    public var isFolder: Bool { name.hasSuffix("/") }

    public var isDeflated: Bool { method == 8 }

    /// Why the contents cannot be read; nil if they can.
    public var obstacle: ZipError? {
        if flags & 1 != 0 { return .encrypted }
        if method != 0, method != 8 { return .otherCompression(method) }
        return [packedByteCount, byteCount, headerOffset].contains(UInt64(UInt32.max)) ? .tooLarge : nil
    }

    /// Returns the offset in the file of the contents.
    ///
    /// - Parameter header: the ``headerByteCount`` bytes at ``headerOffset``.
    public func contentsOffset(header: [UInt8]) throws(ZipError) -> UInt64 {
        guard header.count >= Self.headerByteCount, header.starts(with: [0x50, 0x4b, 3, 4]) else {
            throw .malformed
        }
        let nameByteCount = UInt64(ByteOrder.little.number(header[26..<28]) as UInt16)
        let extraByteCount = UInt64(ByteOrder.little.number(header[28..<30]) as UInt16)
        return headerOffset + UInt64(Self.headerByteCount) + nameByteCount + extraByteCount
    }
}

public enum ZipError: Error, Equatable, Sendable {
    /// Not a zip file, or damaged.
    case malformed
    /// The file or the entry needs the 64-bit extension, or the list of entries exceeds its limit.
    case tooLarge
    case encrypted
    /// The entry is packed by this method, which is not deflate.
    case otherCompression(UInt16)
}
