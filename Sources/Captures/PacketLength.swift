import HCI

/// The rule by which ``PacketIndicator`` bounds the length of a record.
enum PacketLength {
    /// A record with more bytes is damaged: an ACL packet of full length with some spare bytes.
    static let maximum: UInt32 = 66_000

    /// A record that is this much longer than its packet is damaged.
    private static let longestExcess = 64

    /// Whether a record of `included` bytes is much longer than the packet in it, by the packet's own length.
    /// Such a record has swallowed others. `tabard replay` refuses it, too.
    ///
    /// - Parameters:
    ///   - kind: nil for a record without an HCI packet.
    ///   - offset: the offset in the window of the packet, behind any indicator.
    ///   - included: the length of the packet in the record, without any indicator.
    static func isExceeded(
        _ kind: PacketIndicator?, at offset: Int, included: Int, _ window: ByteWindow
    ) -> Bool {
        guard let kind else { return included > BtsnoopReader.longestNote }
        guard window.count >= offset + kind.headerByteCount, included >= kind.headerByteCount else {
            return false
        }
        let last = offset + kind.headerByteCount - 1
        let isWide = kind == .aclData || kind == .isochronousData
        let length = isWide ? Int(window.uint16(at: last - 1, .little)) : Int(window[last])
        return included > kind.headerByteCount + length + longestExcess
    }
}
