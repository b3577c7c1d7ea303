/// The mark that some editors put before a text in UTF-8, and that readers of the text skip.
public enum ByteOrderMark {
    private static let bytes: [UInt8] = [0xef, 0xbb, 0xbf]

    /// Whether the text begins with the mark of UTF-16, in either byte order.
    public static func isUTF16(_ text: ArraySlice<UInt8>) -> Bool {
        text.starts(with: [0xff, 0xfe]) || text.starts(with: [0xfe, 0xff])
    }

    /// The text without a mark before it.
    public static func skipped(_ text: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        text.starts(with: bytes) ? text.dropFirst(bytes.count) : text
    }
}
