/// A zip file, as far as publishers of keys use the format: one disk, sizes of 32 bits, nothing encrypted,
/// entries stored or deflated. Source: PKWARE's APPNOTE 6.3.
///
/// A foreign file may claim any size. The reader unpacks nothing that claims to be longer than the caller
/// allows, and nothing beyond its claimed length.
struct ZipReader {
    /// A file with more entries is not a file of keys.
    static let maximumEntryCount = 64

    private let bytes: [UInt8]
    private let entries: [Entry]

    private struct Entry {
        var name: [UInt8]
        var method: UInt16
        var checksum: UInt32
        var packedByteCount: Int
        var byteCount: Int
        var headerOffset: Int
    }

    /// Reads the list of entries.
    init(_ bytes: [UInt8]) throws(ZipError) {
        self.bytes = bytes
        guard let end = Self.endOfDirectory(bytes) else { throw .malformed }
        var list = LittleEndianReader(bytes, at: end + 4)
        let (disk, firstDisk) = (try list.read16(), try list.read16())
        let (countHere, count) = (try list.read16(), try list.read16())
        let byteCount = Int(try list.read32())
        let offset = Int(try list.read32())
        guard disk == 0, firstDisk == 0, countHere == count, count <= Self.maximumEntryCount,
            offset + byteCount == end
        else { throw .malformed }

        var directory = LittleEndianReader(bytes, at: offset)
        var entries: [Entry] = []
        for _ in 0..<count {
            let entry = try Self.entry(&directory)
            guard !entries.contains(where: { $0.name == entry.name }) else { throw .malformed }
            entries.append(entry)
        }
        guard directory.offset == end else { throw .malformed }
        self.entries = entries
    }

    /// Returns the file of this name, also if it is in a folder: people pack a folder as often as its files.
    ///
    /// - Throws: `.missing` if no entry has this name, or several have it in different folders; `.tooLong` if
    ///   it claims to be longer than allowed.
    func contents(of name: String, maximumByteCount: Int) throws(ZipError) -> [UInt8] {
        guard let entry = entry(named: Array(name.utf8)) else { throw .missing }
        guard entry.byteCount <= maximumByteCount else { throw .tooLong }
        let packed = try packed(entry)
        let contents: [UInt8]
        switch entry.method {
        case ZipFormat.stored: contents = Array(packed)
        case ZipFormat.deflated: contents = try Deflate.unpack(packed, byteCount: entry.byteCount)
        default: throw .otherCompression
        }
        guard contents.count == entry.byteCount, Deflate.checksum(contents) == entry.checksum else {
            throw .malformed
        }
        return contents
    }

    private func entry(named name: [UInt8]) -> Entry? {
        if let entry = entries.first(where: { $0.name == name }) { return entry }
        let suffix = [UInt8(ascii: "/")] + name
        let found = entries.filter {
            $0.name.suffix(suffix.count) == suffix[...] && !$0.name.starts(with: "__MACOSX/".utf8)
        }
        return found.count == 1 ? found[0] : nil
    }

    /// The local header repeats most fields; it is needed only for the offset of the contents.
    private func packed(_ entry: Entry) throws(ZipError) -> ArraySlice<UInt8> {
        var header = LittleEndianReader(bytes, at: entry.headerOffset)
        guard try header.read32() == ZipFormat.localHeader else { throw .malformed }
        try header.skip(22)
        let nameByteCount = Int(try header.read16())
        let extraByteCount = Int(try header.read16())
        guard try header.read(nameByteCount) == entry.name[...] else { throw .malformed }
        try header.skip(extraByteCount)
        return try header.read(entry.packedByteCount)
    }

    private static func entry(_ directory: inout LittleEndianReader) throws(ZipError) -> Entry {
        guard try directory.read32() == ZipFormat.directoryEntry else { throw .malformed }
        try directory.skip(4)
        let flags = try directory.read16()
        guard flags & ZipFormat.encryptedFlag == 0 else { throw .malformed }
        let method = try directory.read16()
        try directory.skip(4)
        let checksum = try directory.read32()
        let packedByteCount = try directory.read32()
        let byteCount = try directory.read32()
        let nameByteCount = Int(try directory.read16())
        let extraByteCount = Int(try directory.read16())
        let commentByteCount = Int(try directory.read16())
        try directory.skip(8)
        let headerOffset = try directory.read32()
        let name = Array(try directory.read(nameByteCount))
        try directory.skip(extraByteCount + commentByteCount)
        return Entry(
            name: name, method: method, checksum: checksum, packedByteCount: Int(packedByteCount),
            byteCount: Int(byteCount), headerOffset: Int(headerOffset))
    }

    /// The offset of the end record. Behind it is only a comment of the stated length.
    private static func endOfDirectory(_ bytes: [UInt8]) -> Int? {
        let last = bytes.count - ZipFormat.endByteCount
        guard last >= 0 else { return nil }
        return (max(0, last - Int(UInt16.max))...last).reversed().first { offset in
            var record = LittleEndianReader(bytes, at: offset)
            guard (try? record.read32()) == ZipFormat.end, (try? record.skip(16)) != nil,
                let commentByteCount = try? record.read16()
            else { return false }
            return offset + ZipFormat.endByteCount + Int(commentByteCount) == bytes.count
        }
    }
}

enum ZipError: Error, Equatable {
    /// Not a zip file, or not of this kind.
    case malformed
    /// No entry has this name.
    case missing
    /// The entry is longer than allowed.
    case tooLong
    /// The entry is packed by a method other than deflate.
    case otherCompression
}

enum ZipFormat {
    static let localHeader: UInt32 = 0x0403_4b50
    static let directoryEntry: UInt32 = 0x0201_4b50
    static let end: UInt32 = 0x0605_4b50
    static let endByteCount = 22
    static let encryptedFlag: UInt16 = 1
    static let stored: UInt16 = 0
    static let deflated: UInt16 = 8
}

/// Reads consecutive numbers, never beyond the end.
private struct LittleEndianReader {
    private let bytes: [UInt8]
    private(set) var offset: Int

    init(_ bytes: [UInt8], at offset: Int) {
        self.bytes = bytes
        self.offset = offset
    }

    mutating func read(_ count: Int) throws(ZipError) -> ArraySlice<UInt8> {
        guard offset <= bytes.count, count <= bytes.count - offset else { throw .malformed }
        defer { offset += count }
        return bytes[offset..<offset + count]
    }

    mutating func skip(_ count: Int) throws(ZipError) { _ = try read(count) }

    mutating func read16() throws(ZipError) -> UInt16 {
        UInt16(truncatingIfNeeded: try number(byteCount: 2))
    }

    mutating func read32() throws(ZipError) -> UInt32 { try number(byteCount: 4) }

    private mutating func number(byteCount: Int) throws(ZipError) -> UInt32 {
        try read(byteCount).reversed().reduce(0) { $0 << 8 | UInt32($1) }
    }
}
