import DeviceSync
import EncounterLog
import FixedMemory

/// The log and the clock as a sync client sees them: `/index`, `/log`, and `/log/` with a segment's ordinal in eight
/// digits. It lends itself the log for the length of one call.
struct LogStore<Flash: FlashDevice & ~Copyable>: SyncStore, ~Copyable {
    var keeper: LogKeeper<Flash>
    /// What the board knows about itself; the agent keeps it fresh.
    var status = BoardStatus()
    /// A time that a client has told, until the agent takes it.
    var toldTime: WallClockReading?

    init(keeper: consuming LogKeeper<Flash>) { self.keeper = keeper }

    private enum File: BitwiseCopyable {
        case index
        case wholeLog
        case segment(UInt32)
    }

    private func file(_ path: Span<UInt8>) throws(SyncStoreError) -> File {
        if path.isEqual(to: "/index") { return .index }
        if path.isEqual(to: "/log") { return .wholeLog }
        let prefix = 5
        guard path.count == prefix + 8, path.extracting(0..<prefix).isEqual(to: "/log/") else {
            throw .fileNotFound
        }
        var ordinal: UInt32 = 0
        for index in prefix..<path.count {
            guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(path[index]) else { throw .fileNotFound }
            ordinal = ordinal * 10 + UInt32(path[index] - UInt8(ascii: "0"))
        }
        return .segment(ordinal)
    }

    mutating func fileByteCount(path: Span<UInt8>) throws(SyncStoreError) -> UInt64 {
        switch try file(path) {
        case .index:
            keeper.commitOpenPage()
            return SyncIndex.byteCount(segmentCount: keeper.log.retainedSegmentCount)
        case .wholeLog: return UInt64(keeper.log.retainedByteCount)
        case .segment(let ordinal):
            guard let segment = keeper.log.retainedSegment(ordinal: ordinal) else { throw .fileNotFound }
            return UInt64(segment.byteCount)
        }
    }

    mutating func readFile(
        path: Span<UInt8>, offset: UInt64, into bytes: inout MutableSpan<UInt8>
    ) throws(SyncStoreError) -> Int {
        guard offset <= 0x7fff_ffff else { return 0 }
        let start = Int(truncatingIfNeeded: offset)
        switch try file(path) {
        case .index:
            if offset == 0 { keeper.commitOpenPage() }
            return readIndex(offset: offset, into: &bytes)
        case .wholeLog:
            do throws(LogError) { return try keeper.log.read(offset: start, into: &bytes) } catch {
                throw .readFailed
            }
        case .segment(let ordinal):
            do throws(LogError) {
                return try keeper.log.read(segment: ordinal, offset: start, into: &bytes)
            } catch {
                throw error == .noSuchSegment ? .fileNotFound : .readFailed
            }
        }
    }

    private func readIndex(offset: UInt64, into bytes: inout MutableSpan<UInt8>) -> Int {
        let header = SyncIndexHeader(
            logIdentity: keeper.log.logIdentity, bootIdentifier: keeper.log.bootIdentifier,
            pageByteCount: UInt32(keeper.log.geometry.pageByteCount))
        return SyncIndex.read(
            header, segmentCount: keeper.log.retainedSegmentCount, offset: offset, into: &bytes
        ) { index in
            guard let segment = keeper.log.retainedSegment(at: index) else {
                return SyncIndexSegment(ordinal: 0, byteCount: 0, isOpen: false)
            }
            return SyncIndexSegment(
                ordinal: segment.ordinal, byteCount: UInt32(segment.byteCount), isOpen: !segment.isClosed)
        }
    }

    var wallClockMilliseconds: UInt64? { status.wallClockMilliseconds }

    mutating func setWallClock(milliseconds: UInt64, errorMilliseconds: UInt32?) throws(SyncStoreError) {
        guard milliseconds >= WallClockReading.earliestPlausibleMilliseconds else { throw .clockRefused }
        // Without a bound: the message took no longer than a client waits for its answer.
        toldTime = WallClockReading(milliseconds: milliseconds, errorMilliseconds: errorMilliseconds ?? 2_500)
    }
}

extension WallClockReading {
    /// 2024-01-01: a clock before that has never been set.
    public static let earliestPlausibleMilliseconds: UInt64 = 1_704_067_200_000
}
