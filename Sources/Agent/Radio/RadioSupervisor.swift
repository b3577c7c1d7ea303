import EncounterLog

/// What to do about a radio that fails: reset it, and after three vain resets open its transport anew, ever more
/// patiently.
struct RadioSupervisor: BitwiseCopyable {
    private static let resetsBeforeReopening = 3
    private static let longestPauseMilliseconds: UInt64 = 30_000

    private(set) var isOpen = true
    private(set) var restarts: UInt32 = 0
    private var resetsInVain = 0
    private var pauseMilliseconds: UInt64 = 500
    private var nextAttemptMilliseconds: UInt64 = 0
    private var upSinceMilliseconds: UInt64?
    private(set) var status = RadioStatus()

    /// A radio that fails again within this time of coming up was not mended by its reset.
    private static let soundAfterMilliseconds: UInt64 = 10_000

    func isDue(nowMilliseconds now: UInt64) -> Bool { now >= nextAttemptMilliseconds }

    mutating func note(_ fault: RadioFault, nowMilliseconds now: UInt64) {
        if let since = upSinceMilliseconds, now >= since + Self.soundAfterMilliseconds {
            resetsInVain = 0
            pauseMilliseconds = 500
        }
        upSinceMilliseconds = nil
        status.state = .recovering
        status.lastFault = fault.kind
        restarts &+= 1
        resetsInVain += 1
        if case .transport = fault {
            close(nowMilliseconds: now)
        } else if resetsInVain > Self.resetsBeforeReopening {
            close(nowMilliseconds: now)
        } else {
            status.rungs.note(.reset)
        }
    }

    mutating func noteOpened() {
        isOpen = true
        resetsInVain = 0
        status.rungs.note(.reopen)
    }

    mutating func noteUp(nowMilliseconds now: UInt64) {
        upSinceMilliseconds = now
        status.state = .up
    }

    private mutating func close(nowMilliseconds now: UInt64) {
        isOpen = false
        nextAttemptMilliseconds = now + pauseMilliseconds
        pauseMilliseconds = min(pauseMilliseconds * 2, Self.longestPauseMilliseconds)
    }
}
