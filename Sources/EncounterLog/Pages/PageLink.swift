import FixedMemory

/// The fields that connect a page to the pages before it, in clear.
public struct PageLink: Equatable, BitwiseCopyable, Sendable {
    /// The chain's value before this page; all zero before a log's first page.
    public var chainValue: Bytes<16>
    /// The number of this attempt at writing a page in its epoch, from 0. Each attempt has its own key.
    public var pageNumber: UInt16
    public var entryCount: UInt16
    /// The acknowledged position when the page was written.
    public var syncedThrough: LogPosition

    static let byteCount = 28

    init(chainValue: Bytes<16>, pageNumber: UInt16, entryCount: UInt16, syncedThrough: LogPosition) {
        self.chainValue = chainValue
        self.pageNumber = pageNumber
        self.entryCount = entryCount
        self.syncedThrough = syncedThrough
    }

    init(_ reader: inout ByteReader) throws(EndOfBytes) {
        chainValue = try reader.readBlock()
        pageNumber = try reader.readUInt16()
        entryCount = try reader.readUInt16()
        syncedThrough = try LogPosition(&reader)
    }

    func encode<Sink: ByteSink & ~Copyable>(into sink: inout Sink) throws(CapacityError) {
        try sink.append(chainValue)
        try sink.append(littleEndian: pageNumber)
        try sink.append(littleEndian: entryCount)
        try syncedThrough.encode(into: &sink)
    }
}
