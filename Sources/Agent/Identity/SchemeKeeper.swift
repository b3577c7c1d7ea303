import Cryptography
import FixedMemory
import Peers
import Protocols
import Radio
import Schemes

/// Decides who we are in schemes other than Herald. It only decides; the ``RadioController`` makes the
/// change, with Herald's.
///
/// None is made of a time that nobody has told. BLE-Proximity's are random, and need none.
struct SchemeKeeper: ~Copyable {
    private static let lookInterval = Interval.seconds(1)
    /// A broadcast value is made so long before it is needed.
    private static let leadSeconds: UInt64 = 60

    private let settings: SchemeSettings
    private let sonar: SonarMaker?
    private let entropy: Entropy
    private var clock = IdentityClock()
    /// CovidTracer's.
    private(set) var keys = DayKeyKeeper(.covidTracer)
    private var exposure: ExposureKeeper?
    private(set) var own = OwnSchemes()
    private var validities = InlineArray<3, ValidityInterval?>(repeating: nil)
    private var nextLook = Instant.start
    /// Of the next period.
    private var nextBroadcast: Timed<SonarBroadcastValue>?
    private var broadcastJob: SonarBroadcastJob?
    /// A broadcast value is being made: a slice is to be done.
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

    /// At the next look, which is due.
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

    /// Who we are in Exposure Notification, and the key of the day.
    var broadcast: ExposureBroadcast? { exposure?.broadcast }
    var exposureKey: TemporaryExposureKey? { exposure?.key }

    /// - Returns: whether we are somebody else from now on: ``own``.
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
            dayKey = keys.key(of: day, isSealed: surroundings.isSealed, board: &board)
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

    /// From monotonic to wall-clock time, as for identities; nil while nobody knows.
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

    /// Begins a broadcast value where there is none for now, or soon none.
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

    /// Does a slice of the broadcast value that is being made. What fails is begun anew, a second later.
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
