import Configuration
import Cryptography
import DeviceSync
import EncounterLog
import FixedMemory

/// The board as a sync client sees it: its files, its status, its public keys and its clock. Files of the log
/// are read through the writer, which the agent lends for the length of one call.
struct SyncView<Flash: FlashDevice & ~Copyable, Clock: AgentClock>: SyncStore, ~Copyable {
    typealias Log = LogWriter<Flash>

    private let clock: Clock
    /// The agent sets the status, with the time, before each call.
    var status = BoardStatus()
    /// The public halves of the current keys.
    var publicKeys: BoardPublicKeys?
    /// The offset from monotonic time to the wall-clock time that a client set; nil if none did.
    private(set) var syncedOffset: ClockOffset?
    /// The time that two sources confirm, of which the client is one.
    var calendar = Calendar()
    /// The current configuration, as the client reads it.
    private var listing = FixedBuffer<8192>()

    init(clock: Clock, configuration: EffectiveConfiguration) {
        self.clock = clock
        // The buffer has room for the longest configuration.
        try? configuration.write(to: &listing)
    }

    /// The SHA-256 of the configuration's text.
    var configurationDigest: Bytes<32> { SHA256.digest(of: listing.span) }

    private func file(_ path: Span<UInt8>) throws(SyncStoreError) -> SyncPath {
        guard let file = SyncPath(path) else { throw .fileNotFound }
        return file
    }

    /// Commits the open page before a client reads the index, as often as strangers may have that.
    mutating func prepare(path: Span<UInt8>, log writer: inout Log) {
        switch SyncPath(path) {
        case .index, .indexFrom: writer.commitForClient(now: status.instant)
        default: break
        }
    }

    mutating func fileByteCount(path: Span<UInt8>, log writer: inout Log) throws(SyncStoreError) -> UInt64 {
        switch try file(path) {
        case .index: return indexByteCount(from: 0, in: writer.log)
        case .indexFrom(let ordinal): return indexByteCount(from: ordinal, in: writer.log)
        case .log: return UInt64(writer.log.retainedByteCount)
        case .configuration: return UInt64(listing.count)
        case .segment(let ordinal):
            guard let segment = writer.log.retainedSegment(ordinal: ordinal) else { throw .fileNotFound }
            return UInt64(segment.byteCount)
        }
    }

    mutating func readFile(
        path: Span<UInt8>, offset: UInt64, into bytes: inout MutableSpan<UInt8>,
        log writer: inout Log
    ) throws(SyncStoreError) -> Int {
        guard offset <= 0x7fff_ffff else { return 0 }
        let start = Int(truncatingIfNeeded: offset)
        switch try file(path) {
        case .index: return readIndex(from: 0, offset: offset, into: &bytes, in: writer.log)
        case .indexFrom(let ordinal):
            return readIndex(from: ordinal, offset: offset, into: &bytes, in: writer.log)
        case .log:
            do throws(LogError) { return try writer.log.read(offset: start, into: &bytes) } catch {
                throw .readFailed
            }
        case .configuration:
            let rest = listing.span.extracting(min(start, listing.count)..<listing.count)
            let count = min(rest.count, bytes.count)
            for index in 0..<count { bytes[index] = rest[index] }
            return count
        case .segment(let ordinal):
            do throws(LogError) {
                return try writer.log.read(segment: ordinal, offset: start, into: &bytes)
            } catch {
                throw error == .noSuchSegment ? .fileNotFound : .readFailed
            }
        }
    }

    private func indexByteCount(
        from first: UInt32, in log: borrowing EncounterLog<Flash>
    ) -> UInt64 {
        SyncIndex.byteCount(segmentCount: log.retainedSegmentCount(from: first))
    }

    private func readIndex(
        from first: UInt32, offset: UInt64, into bytes: inout MutableSpan<UInt8>,
        in log: borrowing EncounterLog<Flash>
    ) -> Int {
        let header = SyncIndexHeader(
            logIdentity: log.logIdentity, bootIdentifier: log.bootIdentifier,
            blockByteCount: UInt32(truncatingIfNeeded: log.geometry.blockByteCount),
            unitByteCount: UInt32(truncatingIfNeeded: log.geometry.unitByteCount))
        // The lines are written in order. Each search continues where the last one ended, because there may
        // be thousands of segments.
        var next = log.retainedSegment(from: first)
        var nextIndex = 0
        return SyncIndex.read(
            header, segmentCount: log.retainedSegmentCount(from: first), offset: offset, into: &bytes
        ) { index in
            while nextIndex < index, let segment = next {
                next = Self.segment(behind: segment, in: log)
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

    mutating func setWallClock(_ setting: WallClockSetting, log writer: inout Log) throws(SyncStoreError) {
        guard setting.time.isCredible else { throw .clockRefused }
        let now = status.instant
        let then = setting.moment?.instant ?? now
        let offset = ClockOffset(of: setting.time, at: then)
        syncedOffset = offset
        calendar.tell(offset, now: now)
        status.wallClock = now + offset
        let anchor = AnchorEntry(
            instant: then, wallClock: setting.time,
            // Without a bound in the request, the message took no longer than a client waits for its answer.
            errorMilliseconds: setting.errorMilliseconds ?? 2_500, source: .host)
        writer.append(.anchor(anchor), now: now)
        // The server has checked the operator's signature if the board knows the operator.
        if publicKeys?.operatorKey != nil { writer.allowCommitForClient() }
    }

    // Destroyed in one place, because inlined copies enlarge the board's image.
    @inline(never)
    deinit {}
}
