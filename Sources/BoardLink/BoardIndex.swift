import DeviceSync
import FixedMemory
import LogContents

/// The identity and the segments of a board's log at one moment.
public struct BoardIndex: Sendable, Equatable {
    public let board: LogIdentity
    public let bootIdentifier: UInt64
    public let blockByteCount: Int
    public let unitByteCount: Int
    /// Oldest first, with ascending ordinals.
    public let segments: [SyncIndexSegment]

    /// Nil if the text is not an index, or combines pieces of two different moments.
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
    /// Reads `/index`, or, if the board supports it, only its segments from `first` on. The index may change
    /// between two pieces, so an inconsistent one is read again.
    public func index(from first: UInt32 = 0) throws(LinkError) -> BoardIndex {
        let path = (1...SyncPath.latestOrdinal).contains(first) ? SyncPath.indexFrom(first) : .index
        for _ in 0..<4 {
            do throws(LinkError) {
                if let index = BoardIndex(try file(path, limit: 4 << 20)) { return index }
            } catch {
                // A board of an earlier version offers only the complete index.
                guard case .refused(_, .fileNotFound) = error, path != .index else { throw error }
                return try index()
            }
        }
        throw .indexUnreadable(port: channel.name)
    }

    /// Reads a file up to a limit in bytes.
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
