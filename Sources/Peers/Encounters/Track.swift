import EncounterLog
import HCI

/// The open encounter of a peer, and the sample being gathered for it. Number 0 means there is none.
/// Its parts stand in this order so that they take 64 bytes: a peer's is touched by each of its reports.
struct Track: BitwiseCopyable, Sendable {
    var encounter: UInt32 = 0
    var readings: UInt32 = 0

    /// Before this time no reading begins or ends anything: neither an encounter nor a sample, nor a peer's being new.
    /// One comparison per reading in place of all of these.
    private(set) var turnMilliseconds: UInt64 = 0

    var firstMilliseconds: UInt64 = 0
    var lastMilliseconds: UInt64 = 0
    private(set) var sample = GatheredSample()

    /// Whether the encounter's opening is in the log already. It waits while a peer is only a candidate.
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

    /// Nothing is left to do now; says when to look again. `provenMilliseconds`: when the peer will no longer be new.
    mutating func setTurn(
        atMilliseconds now: UInt64, provenMilliseconds: UInt64?, _ settings: RecorderSettings
    ) {
        let sampleStart = sample.isEmpty ? now : sample.startMilliseconds
        turnMilliseconds = min(sampleStart + settings.sampleMilliseconds, now + settings.gapMilliseconds)
        // A candidate's sample for which there is no room: it need not be looked at again at each reading.
        if !isWritten, turnMilliseconds <= now { turnMilliseconds = now + settings.sampleMilliseconds }
        if let provenMilliseconds { turnMilliseconds = min(turnMilliseconds, provenMilliseconds) }
    }

    /// The next reading begins or ends something.
    mutating func turnAtNextReading() { turnMilliseconds = 0 }

    /// Whether there is none, or it has been silent for longer than it may be.
    @inline(__always)
    func hasEnded(atMilliseconds now: UInt64, gapMilliseconds: UInt64) -> Bool {
        !isOpen || now > lastMilliseconds + gapMilliseconds
    }

    /// Whether the sample has taken as long as it should, or no more readings fit.
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

    /// Goes on with what another address of the same device has gathered, of which nothing is in the log yet. There must
    /// be no sample of its own.
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

    /// The next reading is of such a power. A sample that has not been taken goes on with it.
    mutating func continueSample(sentWith powerDBm: Int8) { sample.continueSample(sentWith: powerDBm) }

    /// The gathered sample; the next one starts empty.
    mutating func takeSample() -> GatheredSample {
        defer {
            sample = GatheredSample()
            turnAtNextReading()
        }
        return sample
    }
}
