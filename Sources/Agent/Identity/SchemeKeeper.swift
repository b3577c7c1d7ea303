import Cryptography
import FixedMemory
import Peers
import Protocols
import Radio
import Schemes

/// Decides the board's identities in schemes other than Herald. The ``RadioController`` changes them together
/// with Herald's.
///
/// Without a wall-clock time only BLE-Proximity has an identity, because its identities are random.
struct SchemeKeeper: ~Copyable {
    private static let lookInterval = Interval.seconds(1)
    /// How long before its period a broadcast value is made.
    private static let leadSeconds: UInt64 = 60

    private let settings: SchemeSettings
    private let sonar: SonarMaker?
    private let entropy: Entropy
    private var clock = IdentityClock()
    /// The day keys of CovidTracer.
    private(set) var keys = DayKeyKeeper(.covidTracer)
    private var exposure: ExposureKeeper?
    private(set) var own = OwnSchemes()
    private var validities = InlineArray<3, ValidityInterval?>(repeating: nil)
    private var nextLook = Instant.start
    /// Sonar's broadcast value of the next period.
    private var nextBroadcast: Timed<SonarBroadcastValue>?
    private var broadcastJob: SonarBroadcastJob?
    /// Whether a broadcast value is in progress.
    private(set) var hasWork = false

    init(_ settings: SchemeSettings, txPowerDBm: Int8, entropy: Entropy) {
        self.settings = settings
        self.entropy = entropy
        sonar = settings.sonar.map {
            SonarMaker(
                $0, periodSeconds: settings.sonarPeriodSeconds, txPowerDBm: txPowerDBm, entropy: entropy)
        }
        exposure = settings.hasExposure ? ExposureKeeper(txPowerDBm: txPowerDBm, entropy: entropy) : nil
    }

    /// Requests the day key again at the next call of ``advance``, which is due immediately.
    mutating func askForKey() {
        keys.forget()
        nextLook = .start
    }

    /// When to call again at the latest.
    var deadline: Instant { isIdle ? .distantFuture : nextLook }

    func isDue(now: Instant) -> Bool { now >= deadline }

    private var isIdle: Bool {
        sonar == nil && !settings.hasCovidTracer && !settings.hasProximity && !settings.hasExposure
    }

    /// The identity in Exposure Notification, and the day's key; nil while there is none.
    var broadcast: ExposureBroadcast? { exposure?.broadcast }
    var exposureKey: TemporaryExposureKey? { exposure?.key }

    /// - Returns: whether ``own`` has changed.
    mutating func advance(
        _ surroundings: IdentitySurroundings, board: inout some BoardControl, random: inout some RandomSource
    ) -> Bool {
        let now = surroundings.now
        nextLook = now + Self.lookInterval
        let time = clock.time(surroundings)
        exposure?.advance(at: time?.seconds, random: &random)
        let before = own
        var dayKey: Bytes<32>?
        if settings.hasCovidTracer, let time, let day = UInt32(exactly: time.days) {
            dayKey = keys.key(of: day, surroundings, board: &board)
        }
        for index in 0..<SchemeID.linkCount {
            guard let scheme = SchemeID(linkIndex: index) else { continue }
            let needsNoTime = scheme == .bleProximity
            if let seconds = time?.seconds ?? (needsNoTime ? now.milliseconds / 1_000 : nil) {
                keep(scheme, at: index, seconds: seconds, dayKey: dayKey)
            } else {
                own[scheme] = OwnSchemes.Value()
            }
        }
        return own != before
    }

    /// The offset from monotonic to wall-clock time that identities use; nil while it is unknown.
    mutating func wallClockOffset(_ surroundings: IdentitySurroundings) -> ClockOffset? {
        clock.time(surroundings).map { ClockOffset(of: $0, at: surroundings.now) }
    }

    private mutating func keep(_ scheme: SchemeID, at index: Int, seconds: UInt64, dayKey: Bytes<32>?) {
        if scheme == .sonar { prepare(at: seconds) }
        let validity = validities[index]
        if validity?.contains(seconds) == true, !own[scheme].isEmpty { return }
        own[scheme] = OwnSchemes.Value()
        switch scheme {
        case .sonar:
            guard let next = nextBroadcast, next.validity.contains(seconds) else { return }
            nextBroadcast = nil
            set(.sonar, next.identity.bytes.span, next.validity)
            own.sonarEndSeconds = UInt32(clamping: next.validity.endSeconds)
        case .covidTracer:
            guard let dayKey, let hour = try? CovidTracerHour(containing: seconds),
                let identifier = try? CovidTracerDailyKey(date: hour.date, bytes: dayKey).identifier(
                    ofHour: hour.hour)
            else { return }
            set(.covidTracer, identifier.bytes.span, hour.validity)
        case .bleProximity:
            var maker = BLEProximityMaker(periodSeconds: settings.proximityPeriodSeconds, entropy: entropy)
            guard settings.hasProximity, let new = try? BLEProximity.identity(at: seconds, by: &maker)
            else { return }
            let bytes = new.identity.encoded
            set(.bleProximity, bytes.span, new.validity)
        case .herald, .exposureNotification, .robert, .dp3t, .tcn: break
        }
    }

    private mutating func set(_ scheme: SchemeID, _ value: Span<UInt8>, _ validity: ValidityInterval) {
        own[scheme] = OwnSchemes.Value(value) ?? OwnSchemes.Value()
        if let index = scheme.linkIndex { validities[index] = validity }
    }

    /// Begins a broadcast value if none covers the present time, or the current one ends soon.
    private mutating func prepare(at seconds: UInt64) {
        guard !hasWork, let sonar else { return }
        var wanted = seconds
        if let end = validities[0]?.endSeconds, validities[0]?.contains(seconds) == true {
            guard seconds + Self.leadSeconds >= end else { return }
            wanted = end
        }
        if let next = nextBroadcast, next.validity.contains(wanted) || next.validity.contains(seconds) {
            return
        }
        nextBroadcast = nil
        broadcastJob = try? SonarBroadcastJob(sonar, at: wanted)
        hasWork = true
    }

    /// Does one slice of computing the broadcast value. After a failure, it starts over a second later.
    mutating func work() {
        do throws(SonarRefusal) {
            guard try broadcastJob?.advance() ?? true else { return }
            nextBroadcast = broadcastJob?.value
        } catch {}
        broadcastJob = nil
        hasWork = false
        if nextBroadcast != nil { nextLook = .start }
    }
}
