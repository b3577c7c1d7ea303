import DeviceSync
import EncounterLog
import FixedMemory

extension ServedBoard: SyncStore {
    package func prepare(path: Span<UInt8>, log _: inout Void) {
        switch SyncPath(path) {
        case .index, .indexFrom: try? log.commit()
        default: break
        }
    }

    package func fileByteCount(path: Span<UInt8>, log _: inout Void) throws(SyncStoreError) -> UInt64 {
        switch SyncPath(path) {
        case .index: return SyncIndex.byteCount(segmentCount: listing(from: 0).count)
        case .indexFrom(let first) where servesPartOfIndex:
            return SyncIndex.byteCount(segmentCount: listing(from: first).count)
        case .segment(let ordinal):
            guard let segment = log.retainedSegment(ordinal: ordinal) else { throw .fileNotFound }
            return UInt64(segment.byteCount)
        case .configuration: return UInt64(listing.count)
        default: throw .fileNotFound
        }
    }

    package func readFile(
        path: Span<UInt8>, offset: UInt64, into bytes: inout MutableSpan<UInt8>, log _: inout Void
    ) throws(SyncStoreError) -> Int {
        switch SyncPath(path) {
        case .index: return readIndex(from: 0, offset: offset, into: &bytes)
        case .indexFrom(let first) where servesPartOfIndex:
            return readIndex(from: first, offset: offset, into: &bytes)
        case .segment(let ordinal):
            let count: Int
            do throws(LogError) {
                count = try log.read(segment: ordinal, offset: Int(offset), into: &bytes)
            } catch {
                throw .fileNotFound
            }
            for index in 0..<count {
                bytes[index] = changesByte(ordinal, Int(offset) + index, bytes[index])
            }
            if ordinal == unstableSegment {
                unstableReadCount &+= 1
                bytes[0] ^= unstableReadCount
            }
            return count
        case .configuration:
            let rest = listing.dropFirst(Int(offset)).prefix(bytes.count)
            for (index, byte) in rest.enumerated() { bytes[index] = byte }
            return rest.count
        default: throw .fileNotFound
        }
    }

    private func readIndex(from first: UInt32, offset: UInt64, into bytes: inout MutableSpan<UInt8>) -> Int {
        let segments = listing(from: first)
        let header = SyncIndexHeader(
            logIdentity: log.logIdentity, bootIdentifier: bootIdentifier,
            blockByteCount: UInt32(Self.blockByteCount),
            unitByteCount: UInt32(Self.blockByteCount))
        return SyncIndex.read(header, segmentCount: segments.count, offset: offset, into: &bytes) { index in
            segments[index]
        }
    }

    private func listing(from first: UInt32) -> [SyncIndexSegment] {
        var listing = segments().filter { $0.ordinal >= first }.map { segment in
            SyncIndexSegment(
                ordinal: segment.ordinal, byteCount: UInt32(segment.byteCount), isOpen: !segment.isComplete)
        }
        tampersIndex(&listing)
        return listing
    }

    package func setWallClock(_ setting: WallClockSetting, log _: inout Void) throws(SyncStoreError) {
        guard !refusesClock else { throw .clockRefused }
        wallClock = setting.time
        clockErrorMilliseconds = setting.errorMilliseconds
        clockMoment = setting.moment
    }

    package var now: Instant { .start + .seconds(500) }

    package var status: BoardStatus {
        var status = BoardStatus()
        status.logIdentity = log.logIdentity
        status.bootIdentifier = bootIdentifier
        status.instant = now
        return status
    }
}
