/// Recognises the form of a capture by its first bytes, and reads its records. The caller appends the file in
/// pieces of any length.
struct CaptureReader {
    private var window = ByteWindow()
    private var records: (any RecordReader)?

    /// The bytes that decide what a file is, and the limit for a header.
    static let headByteCount = 4_096

    /// The datalink for the capture as btsnoop; nil until the form is recognised.
    var datalink: BtsnoopWriter.Datalink? { records?.datalink }

    /// The link type of packets that were skipped because they are not HCI packets.
    var foreignLinkType: UInt32? { records?.foreignLinkType }

    /// The number of bytes after the last whole record, if the file has ended.
    var cutByteCount: Int { window.isComplete ? window.count : 0 }

    /// Whether the file has ended within a record.
    var endsWithinRecord: Bool { window.endsWithinRecord }

    var isComplete: Bool { window.isComplete }

    mutating func append(_ bytes: ArraySlice<UInt8>) { window.append(bytes) }

    /// Notes that the bytes have ended.
    mutating func complete() { window.complete() }

    /// Parses the next record.
    ///
    /// - Returns: nil if the record has not arrived as a whole.
    mutating func next() throws(CaptureError) -> RecordOutcome? {
        guard records != nil else {
            // Always the same bytes, so that the pieces in which a file arrives make no difference.
            guard window.count >= Self.headByteCount || window.isComplete else { return nil }
            records = try recognise()
            return .structure
        }
        return try records?.next(&window)
    }

    private mutating func recognise() throws(CaptureError) -> any RecordReader {
        let head = window.prefix(Self.headByteCount)
        if head.starts(with: BtsnoopWriter.magic) {
            guard head.count >= 16 else { throw .notCapture(.cutHeader) }
            return try BtsnoopRecordReader(&window)
        }
        if head.count >= 4, let layout = try PcapReader.layout(ofMagic: head.prefix(4)) {
            guard head.count >= PcapReader.fileHeaderByteCount else { throw .notCapture(.cutHeader) }
            return try PcapReader(layout, &window)
        }
        if head.count >= 4, window.uint32(at: 0, .big) == PcapngReader.sectionHeader {
            guard head.count >= PcapngReader.minimumBlockByteCount else { throw .notCapture(.cutHeader) }
            return PcapngReader()
        }
        if let reader = PacketLoggerReader(recognising: head) { return reader }
        throw .notCapture(ForeignFile(head))
    }
}
