/// The mark that some editors put before a text in UTF-8, and that readers of the text skip.
public enum ByteOrderMark {
    private static let bytes: [UInt8] = [0xef, 0xbb, 0xbf]

    /// The text without a mark before it.
    public static func skipped(_ text: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        text.starts(with: bytes) ? text.dropFirst(bytes.count) : text
    }
}
