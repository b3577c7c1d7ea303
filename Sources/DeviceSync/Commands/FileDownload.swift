import FixedMemory

/// The file length that the server reported to a client when it asked for the first chunk.
///
/// Files grow while they are downloaded. Stock clients stop when they have exactly the length in the first
/// answer. A chunk beyond that length would make them ask forever.
struct FileDownload {
    private let path: FixedBuffer<128>
    private let byteCount: UInt64

    /// No download is in progress.
    init() {
        path = FixedBuffer()
        byteCount = 0
    }

    init(path: FixedBuffer<128>, byteCount: UInt64) {
        self.path = path
        self.byteCount = byteCount
    }

    /// Returns where a chunk from `offset` on must end, in a file that now has `byteCount` bytes. It ends
    /// at the reported length; for any other client, or beyond that length, it ends at the end of the file.
    ///
    /// A file that became shorter than `offset` within the reported length cannot be read: an empty chunk
    /// would also make the client ask forever.
    func end(path: Span<UInt8>, offset: UInt64, byteCount: UInt64) throws(SMPRefusal) -> UInt64 {
        guard offset < self.byteCount, self.path.span.isEqual(to: path) else { return byteCount }
        guard offset < byteCount else { throw .fileReadFailed }
        return min(self.byteCount, byteCount)
    }
}
