import EncounterLog
import FixedMemory
import HCI

/// A peer's open encounter, and the sample that is being gathered for it. Number 0 means there is none. The
/// properties are ordered so that they take 64 bytes, because each report touches its peer's track.
struct Track: BitwiseCopyable, Sendable {
    var encounter: UInt32 = 0
    var readings: UInt32 = 0

    /// The earliest time at which a reading may end or begin an encounter or a sample, or confirm the peer.
    /// Each reading makes this one comparison in place of all of these.
    private(set) var turn = Instant.start

    var first = Instant.start
    var last = Instant.start
    private(set) var sample = GatheredSample()

    /// Whether the encounter's opened entry has been written. It waits while the peer is only a candidate.
    var isWritten = false
    /// Whether the encounter is claimed: the board has measured nothing of it, and the peer itself wrote that
    /// it hears the board.
    var isClaimed = false
    var foundBy = PeerHint.heraldService

    var isOpen: Bool { encounter != 0 }

    mutating func open(_ number: UInt32, foundBy how: PeerHint, at now: Instant) {
        self = Track()
        encounter = number
        foundBy = how
        first = now
        last = now
    }

    @inline(__always)
    func isTurning(at now: Instant) -> Bool { now >= turn }

    /// Sets the time of the next check. `proven`: when the peer stops being tentative.
    @inline(__always)  // otherwise each call would copy the settings
    mutating func setTurn(at now: Instant, proven: Instant?, _ settings: RecorderSettings) {
        let sampleStart = sample.isEmpty ? now : sample.start
        turn = min(sampleStart + settings.sampleLength, now + settings.encounterTimeout)
        // A full sample that finds no room need not be checked again at each reading.
        if turn <= now { turn = now + settings.sampleLength }
        if let proven { turn = min(turn, proven) }
        guard !isWritten else { return }
        let released = first + settings.strangers.hold
        if released > now { turn = min(turn, released) }
    }

    /// Makes the next reading begin or end something.
    mutating func turnAtNextReading() { turn = .start }

    /// Whether the encounter has timed out, or none is open.
    @inline(__always)
    func hasEnded(at now: Instant, encounterTimeout: Interval) -> Bool {
        !isOpen || now > last + encounterTimeout
    }

    /// Whether the sample has reached its length, or no more readings fit.
    @inline(__always)
    func isSampleFull(at now: Instant, _ settings: RecorderSettings) -> Bool {
        !sample.isEmpty
            && (now >= sample.start + settings.sampleLength || sample.isFull)
    }

    @inline(__always)
    mutating func add(_ rssi: RSSI, sentWith powerDBm: Int8, at now: Instant) {
        readings &+= 1
        last = now
        sample.add(rssi, sentWith: powerDBm, at: now)
        if sample.isFull { turnAtNextReading() }
    }

    /// Continues with the unwritten track of the same device under another address. This track must not
    /// have a sample of its own.
    mutating func absorb(with other: Track) {
        let (number, first, how) = (encounter, first, foundBy)
        let before = readings
        self = other
        encounter = number
        self.first = first
        foundBy = how
        readings = before &+ other.readings
        isWritten = true
        turnAtNextReading()
    }

    /// Sets the power of the next reading. A sample that has not been taken continues with it.
    mutating func continueSample(sentWith powerDBm: Int8) { sample.continueSample(sentWith: powerDBm) }

    /// Returns the gathered sample, and starts an empty one.
    mutating func takeSample() -> GatheredSample {
        defer {
            sample = GatheredSample()
            turnAtNextReading()
        }
        return sample
    }
}
