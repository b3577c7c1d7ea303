import HCI

/// The rule by which ``PacketIndicator`` bounds the length of a record.
enum PacketLength {
    /// A record with more bytes is damaged: an ACL packet of full length with some spare bytes.
    static let maximum = UInt32(BtsnoopReader.longestRecordByteCount)

    /// Whether a record of `included` bytes is much longer than the packet in it, by the packet's own length.
    /// Such a record has swallowed others. `tabard replay` refuses it, too.
    ///
    /// - Parameters:
    ///   - kind: nil for a record without an HCI packet.
    ///   - offset: the offset in the window of the record's data.
    ///   - hasIndicator: whether the data begin with the packet's indicator.
    static func isExceeded(
        _ kind: PacketIndicator?, at offset: Int, hasIndicator: Bool = false, included: Int,
        _ window: ByteWindow
    ) -> Bool {
        guard let kind else { return included > BtsnoopReader.longestNote }
        let headerByteCount = kind.headerByteCount + (hasIndicator ? 1 : 0)
        guard window.count >= offset + headerByteCount, included >= headerByteCount else { return false }
        let last = offset + headerByteCount - 1
        let isWide = kind == .aclData || kind == .isochronousData
        let length = isWide ? Int(window.uint16(at: last - 1, .little)) : Int(window[last])
        return included > headerByteCount + length + BtsnoopReader.longestExcess
    }
}
