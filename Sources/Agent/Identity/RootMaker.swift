import Cryptography
import EncounterLog
import FixedMemory
import Schemes

/// Makes a root, and keys of days of it, in steps. The root goes into the log, for its owner; the board
/// keeps the keys alone.
struct RootMaker: BitwiseCopyable {
    /// About 3 ms on a Raspberry Pi Zero.
    private static let hashesPerStep = 256

    private(set) var entry: OwnKeyEntry
    private var job: DayKeysJob
    private var keys: DayKeys?
    /// The root is in the log on the medium, for the owner.
    private(set) var isLogged = false
    /// When to try again after the medium refused the root; the start of time if it did not.
    private(set) var retry = Instant.start

    private static let retryPause = Interval.seconds(10)

    /// Nil for days outside every key schedule.
    init?(_ scheme: SchemeID, _ wanted: WantedRoot, random: inout some RandomSource, now: Instant) {
        var bytes = FixedBuffer<32>()
        // 32 bytes fit.
        for _ in 0..<4 { try? bytes.append(littleEndian: random.next()) }
        let root = Bytes<32>(bytes.span) ?? Bytes()
        switch scheme {
        case .herald:
            let schedule = HeraldKeySchedule(root: root, firstDay: wanted.firstDay)
            guard
                let job = try? DayKeysJob(schedule, firstDay: wanted.firstDay, dayCount: wanted.dayCount)
            else { return nil }
            self.job = job
        case .covidTracer:
            job = DayKeysJob(
                CovidTracerRootKey(root), firstDay: wanted.firstDay, dayCount: wanted.dayCount)
        case .sonar, .bleProximity, .exposureNotification, .robert, .dp3t, .tcn: return nil
        }
        entry = OwnKeyEntry(
            instant: now, scheme: SchemeCode(scheme),
            firstPeriod: wanted.firstDay, periodCount: UInt32(truncatingIfNeeded: wanted.dayCount),
            key: bytes)
    }

    /// - Returns: the keys; nil while there is more to do.
    mutating func advance() -> DayKeys? {
        if keys == nil { keys = job.advance(hashLimit: Self.hashesPerStep) }
        return keys
    }

    mutating func markLogged(isInClear: Bool) {
        isLogged = true
        keys?.isRootInClear = isInClear
    }

    /// Records that the medium refused the root.
    /// - Returns: whether it is the first failure.
    mutating func recordFailure(now: Instant) -> Bool {
        defer { retry = now + Self.retryPause }
        return retry == .start
    }

    mutating func wipe() {
        entry.key.wipe()
        keys?.wipe()
        job.wipe()
    }
}
