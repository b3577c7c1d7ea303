import Cryptography
import FixedMemory

/// A job that hashes a file, one slice at a time.
struct FileHashJob: ~Copyable {
    /// The request to which the hash is the answer.
    private(set) var request: SMPHeader
    private(set) var type: FileHashType
    private(set) var offset: UInt64 = 0
    private(set) var byteCount: UInt64 = 0
    private(set) var isRunning = false

    private var path = FixedBuffer<128>()
    private var doneByteCount: UInt64 = 0
    private var sha256 = SHA256()
    private var crc32 = CRC32()

    init() {
        request = SMPHeader(.read, .fileHash, sequence: 0)
        type = .sha256
    }

    mutating func start(
        _ request: SMPHeader, _ type: FileHashType, path: FixedBuffer<128>, offset: UInt64, byteCount: UInt64
    ) {
        self.request = request
        self.type = type
        self.path = path
        self.offset = offset
        self.byteCount = byteCount
        doneByteCount = 0
        sha256.restart()
        crc32 = CRC32()
        isRunning = true
    }

    mutating func cancel() { isRunning = false }

    /// Hashes up to `slice.count` more bytes; returns the result after the last ones.
    mutating func step<Store: SyncStore & ~Copyable>(
        store: inout Store, log: inout Store.Log, slice: inout MutableSpan<UInt8>
    ) throws(SMPRefusal) -> FileHash? {
        let rest = byteCount - doneByteCount
        if rest > 0 {
            let wanted = min(rest, UInt64(truncatingIfNeeded: slice.count))
            var part = slice._mutatingExtracting(first: Int(truncatingIfNeeded: wanted))
            let count: Int
            do throws(SyncStoreError) {
                count = try store.readFile(
                    path: path.span, offset: offset + doneByteCount, into: &part, log: &log)
            } catch {
                throw SMPRefusal(error)
            }
            // The file became shorter during the job, so it no longer has the promised length.
            guard count > 0, count <= part.count else { throw .fileReadFailed }
            let bytes = part.span.extracting(first: count)
            switch type {
            case .sha256: sha256.update(bytes)
            case .crc32: crc32.update(bytes)
            }
            doneByteCount += UInt64(truncatingIfNeeded: count)
        }
        guard doneByteCount == byteCount else { return nil }
        isRunning = false
        switch type {
        case .sha256: return .sha256(sha256.finish())
        case .crc32: return .crc32(crc32.value)
        }
    }
}
