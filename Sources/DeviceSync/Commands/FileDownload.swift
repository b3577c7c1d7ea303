import FixedMemory

/// What the client that downloads was told: the length of a file when it asked for the first piece.
///
/// Files grow while they are downloaded, and stock clients are done when they have exactly the length that the
/// first answer told. A piece that went past it would keep them asking for ever.
struct FileDownload {
    private let path: FixedBuffer<128>
    private let byteCount: UInt64

    /// Nobody downloads.
    init() {
        path = FixedBuffer()
        byteCount = 0
    }

    init(path: FixedBuffer<128>, byteCount: UInt64) {
        self.path = path
        self.byteCount = byteCount
    }

    /// Where a piece from `offset` on must end, in a file that has `byteCount` now: at the length that was told;
    /// at the file's end for who asks for more than that, or was told none.
    ///
    /// A file that became shorter than what the client still wants cannot be read: an empty piece would keep it
    /// asking as well.
    func end(path: Span<UInt8>, offset: UInt64, byteCount: UInt64) throws(SMPRefusal) -> UInt64 {
        guard offset < self.byteCount, self.path.span.isEqual(to: path) else { return byteCount }
        guard offset < byteCount else { throw .fileReadFailed }
        return min(self.byteCount, byteCount)
    }
}
