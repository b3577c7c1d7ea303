import DeviceSync
import FixedMemory
import LogContents

/// Which log a board has and what it holds, at one moment.
public struct BoardIndex: Sendable, Equatable {
    public let board: LogIdentity
    public let bootIdentifier: UInt64
    public let blockByteCount: Int
    public let unitByteCount: Int
    /// Oldest first, ordinals ascending.
    public let segments: [SyncIndexSegment]

    /// Nil for text that is no index, or one put together from two moments.
    init?(_ text: [UInt8]) {
        do throws(MalformedIndex) {
            var reader = try SyncIndexReader(text.span)
            let identity = reader.header.logIdentity
            guard let board = LogIdentity([UInt8](copying: identity.span)), reader.header.blockByteCount > 0,
                reader.header.unitByteCount > 0
            else {
                return nil
            }
            var segments: [SyncIndexSegment] = []
            while let segment = try reader.next() {
                if let last = segments.last, last.ordinal >= segment.ordinal { return nil }
                segments.append(segment)
            }
            self.board = board
            bootIdentifier = reader.header.bootIdentifier
            blockByteCount = Int(reader.header.blockByteCount)
            unitByteCount = Int(reader.header.unitByteCount)
            self.segments = segments
        } catch {
            return nil
        }
    }
}

extension BoardClient {
    /// Reads `/index`, or of a board that can do so only its segments from `first` on. It may change while it is read,
    /// in pieces, so an inconsistent one is read again.
    public func index(from first: UInt32 = 0) throws(LinkError) -> BoardIndex {
        let path = (1...SyncPath.latestOrdinal).contains(first) ? SyncPath.indexFrom(first) : .index
        for _ in 0..<4 {
            do throws(LinkError) {
                if let index = BoardIndex(try file(path, limit: 4 << 20)) { return index }
            } catch {
                // An earlier version, which has only the whole.
                guard case .refused(_, .fileNotFound) = error, path != .index else { throw error }
                return try index()
            }
        }
        throw .indexUnreadable(port: channel.name)
    }

    /// At most so many bytes of a file.
    func file(_ path: SyncPath, limit: Int) throws(LinkError) -> [UInt8] {
        var bytes: [UInt8] = []
        var byteCount = UInt64.max
        while UInt64(bytes.count) < byteCount, bytes.count < limit {
            let chunk = try chunk(of: path, at: UInt64(bytes.count))
            if bytes.isEmpty, let count = chunk.fileByteCount { byteCount = count }
            if chunk.bytes.isEmpty { break }
            bytes += chunk.bytes
        }
        return bytes
    }
}
