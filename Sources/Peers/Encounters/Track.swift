import EncounterLog
import HCI

/// A peer's open encounter, and the sample that is being gathered for it. Number 0 means there is none. The
/// properties are ordered so that they take 64 bytes, because each report touches its peer's track.
struct Track: BitwiseCopyable, Sendable {
    var encounter: UInt32 = 0
    var readings: UInt32 = 0

    /// The earliest time at which a reading may end or begin an encounter or a sample, or confirm the peer.
    /// Each reading makes this one comparison in place of all of these.
    private(set) var turnMilliseconds: UInt64 = 0

    var firstMilliseconds: UInt64 = 0
    var lastMilliseconds: UInt64 = 0
    private(set) var sample = GatheredSample()

    /// Whether the encounter's opened entry has been written. It waits while the peer is only a candidate.
    var isWritten = false
    var foundBy = PeerHint.heraldService

    var isOpen: Bool { encounter != 0 }

    mutating func open(_ number: UInt32, foundBy how: PeerHint, atMilliseconds now: UInt64) {
        self = Track()
        encounter = number
        foundBy = how
        firstMilliseconds = now
        lastMilliseconds = now
    }

    @inline(__always)
    func isTurning(atMilliseconds now: UInt64) -> Bool { now >= turnMilliseconds }

    /// Sets the time of the next check. `provenMilliseconds`: when the peer stops being tentative.
    mutating func setTurn(
        atMilliseconds now: UInt64, provenMilliseconds: UInt64?, _ settings: RecorderSettings
    ) {
        let sampleStart = sample.isEmpty ? now : sample.startMilliseconds
        turnMilliseconds = min(sampleStart + settings.sampleMilliseconds, now + settings.gapMilliseconds)
        // A candidate's full sample that finds no room need not be checked again at each reading.
        if !isWritten, turnMilliseconds <= now { turnMilliseconds = now + settings.sampleMilliseconds }
        if let provenMilliseconds { turnMilliseconds = min(turnMilliseconds, provenMilliseconds) }
    }

    /// Makes the next reading begin or end something.
    mutating func turnAtNextReading() { turnMilliseconds = 0 }

    /// Whether the encounter has timed out, or none is open.
    @inline(__always)
    func hasEnded(atMilliseconds now: UInt64, gapMilliseconds: UInt64) -> Bool {
        !isOpen || now > lastMilliseconds + gapMilliseconds
    }

    /// Whether the sample has reached its length, or no more readings fit.
    @inline(__always)
    func isSampleFull(atMilliseconds now: UInt64, _ settings: RecorderSettings) -> Bool {
        !sample.isEmpty
            && (now >= sample.startMilliseconds + settings.sampleMilliseconds || sample.isFull)
    }

    @inline(__always)
    mutating func add(_ rssi: RSSI, sentWith powerDBm: Int8, atMilliseconds now: UInt64) {
        readings &+= 1
        lastMilliseconds = now
        sample.add(rssi, sentWith: powerDBm, atMilliseconds: now)
        if sample.isFull { turnAtNextReading() }
    }

    /// Continues with the unwritten track of the same device under another address. This track must not
    /// have a sample of its own.
    mutating func absorb(with other: Track) {
        let (number, first, how) = (encounter, firstMilliseconds, foundBy)
        let before = readings
        self = other
        encounter = number
        firstMilliseconds = first
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
