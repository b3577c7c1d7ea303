import Cryptography
import DeviceSync
import EncounterLog
import FixedMemory

/// The log and the clock as a sync client sees them: `/index`, `/log`, and `/log/` with a segment's ordinal
/// in eight digits. It lends itself the log for the length of one call.
struct LogStore<Flash: FlashDevice & ~Copyable, Clock: AgentClock>: SyncStore, ~Copyable {
    var keeper: LogKeeper<Flash>
    private let clock: Clock
    /// What the board knows about itself. The agent sets it, with the time, before each call.
    var status = BoardStatus()
    /// The public halves of the keys in force.
    var publicKeys: BoardPublicKeys?
    /// From monotonic time to the wall-clock time that a client has told us.
    private(set) var toldOffset: ClockOffset?
    /// Of the configuration in force.
    var listing = FixedBuffer<8192>()

    init(keeper: consuming LogKeeper<Flash>, clock: Clock) {
        self.keeper = keeper
        self.clock = clock
    }

    /// Says in the log what is in force.
    mutating func appendConfiguration(_ settings: AgentSettings, now: Instant) {
        let digest = SHA256.digest(of: listing.span)
        keeper.append(
            .configuration(
                settings.entry(digest: Bytes<16>(digest.span.extracting(0..<16)) ?? Bytes(), now: now)),
            now: now)
    }

    private func file(_ path: Span<UInt8>) throws(SyncStoreError) -> SyncPath {
        guard let file = SyncPath(path) else { throw .fileNotFound }
        return file
    }

    /// Who asks for the index is to find all there is. Its later pieces cost no page.
    mutating func prepare(path: Span<UInt8>) {
        switch SyncPath(path) {
        case .index, .indexFrom: keeper.commitOpenPage()
        default: break
        }
    }

    mutating func fileByteCount(path: Span<UInt8>) throws(SyncStoreError) -> UInt64 {
        switch try file(path) {
        case .index: return indexByteCount(from: 0)
        case .indexFrom(let ordinal): return indexByteCount(from: ordinal)
        case .log: return UInt64(keeper.log.retainedByteCount)
        case .configuration: return UInt64(listing.count)
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
        case .index: return readIndex(from: 0, offset: offset, into: &bytes)
        case .indexFrom(let ordinal): return readIndex(from: ordinal, offset: offset, into: &bytes)
        case .log:
            do throws(LogError) { return try keeper.log.read(offset: start, into: &bytes) } catch {
                throw .readFailed
            }
        case .configuration:
            let rest = listing.span.extracting(min(start, listing.count)..<listing.count)
            let count = min(rest.count, bytes.count)
            for index in 0..<count { bytes[index] = rest[index] }
            return count
        case .segment(let ordinal):
            do throws(LogError) {
                return try keeper.log.read(segment: ordinal, offset: start, into: &bytes)
            } catch {
                throw error == .noSuchSegment ? .fileNotFound : .readFailed
            }
        }
    }

    private func indexByteCount(from first: UInt32) -> UInt64 {
        SyncIndex.byteCount(segmentCount: keeper.log.retainedSegmentCount(from: first))
    }

    private func readIndex(from first: UInt32, offset: UInt64, into bytes: inout MutableSpan<UInt8>) -> Int {
        let header = SyncIndexHeader(
            logIdentity: keeper.log.logIdentity, bootIdentifier: keeper.log.bootIdentifier,
            blockByteCount: UInt32(truncatingIfNeeded: keeper.log.geometry.blockByteCount),
            unitByteCount: UInt32(truncatingIfNeeded: keeper.log.geometry.unitByteCount))
        // Lines are written in order: each goes on from the one before, for there may be thousands.
        var next = keeper.log.retainedSegment(from: first)
        var nextIndex = 0
        return SyncIndex.read(
            header, segmentCount: keeper.log.retainedSegmentCount(from: first), offset: offset, into: &bytes
        ) { index in
            while nextIndex < index, let segment = next {
                next = Self.segment(behind: segment, in: keeper.log)
                nextIndex += 1
            }
            guard let segment = next else {
                return SyncIndexSegment(ordinal: 0, byteCount: 0, isOpen: false)
            }
            return SyncIndexSegment(
                ordinal: segment.ordinal, byteCount: UInt32(segment.byteCount), isOpen: !segment.isComplete)
        }
    }

    private static func segment(
        behind segment: RetainedSegment, in log: borrowing EncounterLog<Flash>
    ) -> RetainedSegment? {
        segment.ordinal < .max ? log.retainedSegment(from: segment.ordinal + 1) : nil
    }

    var now: Instant { clock.now }

    var wallClock: WallClockTime? { status.wallClock }

    mutating func setWallClock(_ setting: WallClockSetting) throws(SyncStoreError) {
        guard setting.time >= WallClockReading.earliestPlausible else {
            throw .clockRefused
        }
        let now = status.instant
        let then = setting.moment?.instant ?? now
        let offset = ClockOffset(of: setting.time, at: then)
        toldOffset = offset
        status.wallClock = now + offset
        let anchor = AnchorEntry(
            instant: then, wallClock: setting.time,
            // Without a bound: the message took no longer than a client waits for its answer.
            errorMilliseconds: setting.errorMilliseconds ?? 2_500, source: .host)
        keeper.append(.anchor(anchor), now: now)
    }

    // Ended in one place, not wherever one is given up: for the image's size.
    @inline(never)
    deinit {}
}

extension WallClockReading {
    /// 2024-01-01: a clock before that has never been set.
    public static let earliestPlausible = WallClockTime(days: 19_723)
}
