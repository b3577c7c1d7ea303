import EncounterLog
import HCI

/// The open encounter of a peer, and the sample being gathered for it. Number 0 means there is none.
struct Track: BitwiseCopyable, Sendable {
    var encounter: UInt32 = 0
    var readings: UInt32 = 0
    /// Whether the encounter's opening is in the log already. It waits while a peer is only a candidate.
    var isWritten = false
    var foundBy = PeerHint.heraldService
    /// What the peer said it sends with when the sample began.
    var samplePowerDBm = TransmitPower.unknownDBm

    /// Before this time no reading begins or ends anything: neither an encounter nor a sample, nor a peer's being new.
    /// One comparison per reading in place of all of these.
    private(set) var turnMilliseconds: UInt64 = 0

    var firstMilliseconds: UInt64 = 0
    var lastMilliseconds: UInt64 = 0

    var sampleStartMilliseconds: UInt64 = 0
    var sampleEndMilliseconds: UInt64 = 0
    var sampleReadings: UInt16 = 0
    var minimumDBm: Int8 = 0
    var maximumDBm: Int8 = 0
    var sumDBm: Int32 = 0

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
        let sampleStart = sampleReadings > 0 ? sampleStartMilliseconds : now
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
        sampleReadings > 0
            && (now >= sampleStartMilliseconds + settings.sampleMilliseconds || sampleReadings == .max)
    }

    @inline(__always)
    mutating func add(_ rssi: RSSI, sentWith powerDBm: Int8, atMilliseconds now: UInt64) {
        readings &+= 1
        lastMilliseconds = now
        if sampleReadings == 0 {
            sampleStartMilliseconds = now
            samplePowerDBm = powerDBm
            minimumDBm = rssi.dBm
            maximumDBm = rssi.dBm
            sumDBm = 0
        } else {
            minimumDBm = min(minimumDBm, rssi.dBm)
            maximumDBm = max(maximumDBm, rssi.dBm)
        }
        sampleEndMilliseconds = now
        // A sample that waits for room may fill up; its mean then stays.
        guard sampleReadings < .max else { return }
        sampleReadings += 1
        sumDBm += Int32(rssi.dBm)
        if sampleReadings == .max { turnAtNextReading() }
    }

    /// Goes on with what another address of the same device has gathered, of which nothing is in the log yet. There must
    /// be no sample of its own.
    mutating func goOn(with other: Track) {
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

    /// The gathered sample; the next one starts empty.
    mutating func takeSample() -> GatheredSample {
        defer {
            sampleReadings = 0
            turnAtNextReading()
        }
        return GatheredSample(
            startMilliseconds: sampleStartMilliseconds, endMilliseconds: sampleEndMilliseconds,
            sumDBm: sumDBm, readings: sampleReadings, minimumDBm: minimumDBm, maximumDBm: maximumDBm,
            powerDBm: samplePowerDBm)
    }
}
