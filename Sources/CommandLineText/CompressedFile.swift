/// Files that a program has compressed as a whole, recognised by their first bytes.
public enum CompressedFile {
    private static let kinds: [(magic: [UInt8], unpacker: String)] = [
        ([0x1f, 0x8b], "gunzip"), (Array("BZh".utf8), "bunzip2"),
        ([0xfd, 0x37, 0x7a, 0x58, 0x5a, 0x00], "unxz"), ([0x28, 0xb5, 0x2f, 0xfd], "unzstd"),
        ([0x5d, 0x00, 0x00], "unlzma"), ([0x37, 0x7a, 0xbc, 0xaf, 0x27, 0x1c], "7z x"),
    ]

    /// The program that unpacks the file; nil if it is not compressed.
    public static func unpacker(of file: [UInt8]) -> String? {
        kinds.first { file.starts(with: $0.magic) }?.unpacker
    }
}
