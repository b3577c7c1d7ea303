import EncounterLog
import FixedMemory
import HCI
import Peers
import Protocols
import Radio
import Schemes

/// The board's own identities in all schemes: when they change, the roots that they follow from, and the
/// notices about them. The radio adopts a new identity, and the log records it.
struct OwnIdentities: ~Copyable {
    let role: LogRole
    /// A wearable's identity in Herald; nil for a beacon, whose identity stays.
    private(set) var herald: IdentityKeeper?
    private(set) var schemes: SchemeKeeper
    private var rootMaker: RootMaker?
    private var loggedExposureKey: TemporaryExposureKey?
    /// When an identity may change next.
    private(set) var deadline = Instant.start
    /// The number of duplicate identities at the last notice, and when the next notice may be.
    private var reportedDuplicateCount: UInt32 = 0
    private var nextDuplicateNotice = Instant.start

    private static var duplicateNoticeInterval: Interval { .hours(1) }

    init(role: LogRole, herald: IdentityKeeper?, schemes: consuming SchemeKeeper) {
        self.role = role
        self.herald = herald
        self.schemes = schemes
    }

    private var isBeacon: Bool { role == .beacon }

    // MARK: Changes

    /// Changes the identities that are due.
    mutating func advance<P: Platform>(
        _ surroundings: IdentitySurroundings, radio: inout SupervisedRadio<P.Radio>, recorder: inout Recorder,
        log: inout LogWriter<P.Flash>, board: inout P.Board, random: inout P.Randomness, on platform: P.Type
    ) {
        let now = surroundings.now
        var change: OwnIdentity?
        if herald?.isDue(now: now) == true {
            let before = herald?.standing
            change = herald?.advance(surroundings, board: &board, random: &random)
            if let standing = herald?.standing, standing != before {
                board.report(.identityStandingChanged(standing))
            }
        }
        advanceSchemes(
            &change, surroundings, radio: &radio, log: &log, board: &board, random: &random, on: platform)
        deadline = min(schemes.deadline, herald?.deadline ?? .distantFuture)
        if rootMaker == nil { beginRoot(random: &random, now: now) }
        guard let change else { return }
        radio.rotateIdentity(change, recorder: &recorder, now: now)
        // A wearable's new identity is logged when the controller has the address.
        if isBeacon, log.hasLoggedIdentity { log.append(radio.controller.identity, now: now) }
    }

    /// Changes the identities in the other schemes. All identities change together: the others are looked
    /// at when Herald's changes, and not while that is due. On a wearable the address changes with each of
    /// them.
    private mutating func advanceSchemes<P: Platform>(
        _ change: inout OwnIdentity?, _ surroundings: IdentitySurroundings,
        radio: inout SupervisedRadio<P.Radio>, log: inout LogWriter<P.Flash>, board: inout P.Board,
        random: inout P.Randomness, on platform: P.Type
    ) {
        let now = surroundings.now
        let hasChange = change != nil
        guard hasChange || schemes.isDue(now: now),
            hasChange || herald?.isDue(now: now) != true
        else { return }
        let hasOther = schemes.advance(surroundings, board: &board, random: &random)
        radio.setBroadcast(schemes.broadcast)
        logExposureKey(in: &log, now: now)
        guard hasChange || hasOther else { return }
        let base = change ?? radio.controller.nextIdentity ?? radio.controller.identity
        change = OwnIdentity(
            address: hasChange || isBeacon ? base.address : .privateRandom(seed: random.next()),
            payload: base.payload, schemes: schemes.own)
    }

    /// Logs the day's key of Exposure Notification for the board's owner. Outside the log it is only in
    /// memory, so a thief of the board gets no key of an earlier day.
    private mutating func logExposureKey<Flash: FlashDevice & ~Copyable>(
        in log: inout LogWriter<Flash>, now: Instant
    ) {
        guard let key = schemes.exposureKey, key != loggedExposureKey else { return }
        loggedExposureKey = key
        log.append(
            .ownKey(
                OwnKeyEntry(
                    instant: now, scheme: SchemeCode(.exposureNotification),
                    firstPeriod: key.rollingStart.number, periodCount: key.rollingPeriod,
                    key: FixedBuffer(key.data.span) ?? FixedBuffer())),
            now: now)
    }

    /// Requests the day keys from the board again, because it has new ones or must make new ones.
    mutating func askForDayKeys() {
        herald?.askForKey()
        schemes.askForKey()
        deadline = .start
    }

    /// The offset from monotonic time to the wall-clock time that the schemes' identities follow; nil while
    /// it is unknown.
    mutating func wallClockOffset(_ surroundings: IdentitySurroundings) -> ClockOffset? {
        schemes.wallClockOffset(surroundings)
    }

    // MARK: Work in slices

    /// Whether a broadcast value is in progress, so that each step makes a slice.
    var isMakingBroadcast: Bool { schemes.hasWork }

    mutating func makeBroadcast() {
        schemes.work()
        deadline = .start
    }

    /// Begins a root for day keys if one is wanted.
    private mutating func beginRoot(random: inout some RandomSource, now: Instant) {
        if let wanted = herald?.keys.wanted {
            rootMaker = RootMaker(.herald, wanted, random: &random, now: now)
        } else if let wanted = schemes.keys.wanted {
            rootMaker = RootMaker(.covidTracer, wanted, random: &random, now: now)
        }
    }

    /// Whether a root is in progress, so that each step makes a slice.
    mutating func isMakingRoot(now: Instant) -> Bool {
        rootMaker != nil && now >= rootMaker?.retry ?? .start
    }

    /// Makes a slice of a root. The root is on the medium, for the board's owner, before a peer sees
    /// anything that follows from it.
    mutating func makeRoot<Flash: FlashDevice & ~Copyable>(
        log: inout LogWriter<Flash>, board: inout some BoardControl, now: Instant
    ) {
        guard rootMaker?.advance() != nil, let entry = rootMaker?.entry else { return }
        if rootMaker?.isLogged == false {
            let isInClear = !log.log.isSealed
            guard log.commit(.ownKey(entry), now: now) else {
                return rootFailed(board: &board, now: now)
            }
            rootMaker?.markLogged(isInClear: isInClear)
        }
        guard var keys = rootMaker?.advance(), board.store(keys) else {
            return rootFailed(board: &board, now: now)
        }
        keys.wipe()
        rootMaker?.wipe()
        rootMaker = nil
        askForDayKeys()
    }

    private mutating func rootFailed(board: inout some BoardControl, now: Instant) {
        guard rootMaker?.recordFailure(now: now) == true else { return }
        board.report(.dayKeysNotStored)
    }

    // MARK: Notices

    /// Reports that another device has the board's payload, because peers then record both as one device
    /// (X8).
    mutating func reportDuplicates(count: UInt32, to board: inout some BoardControl, now: Instant) {
        guard count != reportedDuplicateCount, now >= nextDuplicateNotice else { return }
        reportedDuplicateCount = count
        nextDuplicateNotice = now + Self.duplicateNoticeInterval
        board.report(.identityDuplicated(role))
    }
}
