/// Reads pcap files of either byte order, with microseconds or nanoseconds. Source: draft-ietf-opsawg-pcap.
struct PcapReader: RecordReader {
    static let fileHeaderByteCount = 24
    private static let recordHeaderByteCount = 16

    private let order: ByteOrder
    private let hasNanoseconds: Bool
    private var link: LinkLayer

    /// - Returns: nil if a file that begins with these four bytes is not a pcap file.
    static func layout(
        ofMagic magic: ArraySlice<UInt8>
    ) throws(CaptureError) -> (order: ByteOrder, hasNanoseconds: Bool)? {
        for order in [ByteOrder.big, .little] {
            switch order.number(magic) as UInt32 {
            case 0xa1b2_c3d4: return (order, false)
            case 0xa1b2_3c4d: return (order, true)
            case 0xa1b2_cd34: throw .modifiedPcap
            default: continue
            }
        }
        return nil
    }

    /// Reads the file's header, which must have arrived.
    init(_ layout: (order: ByteOrder, hasNanoseconds: Bool), _ window: inout ByteWindow) throws(CaptureError)
    {
        order = layout.order
        hasNanoseconds = layout.hasNanoseconds
        // The upper bits describe check sequences, which HCI packets do not have.
        let number = window.uint32(at: 20, layout.order) & 0x03ff_ffff
        guard let type = LinkType(rawValue: number) else { throw .linkType(number) }
        link = LinkLayer(type)
        window.skip(Self.fileHeaderByteCount)
    }

    var datalink: BtsnoopWriter.Datalink { link.type == .linuxMonitor ? .monitor : .h4 }

    mutating func next(_ window: inout ByteWindow) throws(CaptureError) -> RecordOutcome? {
        guard window.count >= Self.recordHeaderByteCount else { return nil }
        let fraction = Int64(window.uint32(at: 4, order)) / (hasNanoseconds ? 1_000 : 1)
        let included = window.uint32(at: 8, order)
        return try link.take(
            LinkLayer.Place(
                offset: Self.recordHeaderByteCount, included: included,
                original: window.uint32(at: 12, order),
                recordByteCount: Self.recordHeaderByteCount + Int(included),
                unixMicroseconds: Int64(window.uint32(at: 0, order)) * 1_000_000 + fraction), &window)
    }
}
