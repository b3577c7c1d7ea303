import EncounterLog
import FixedMemory
import HCI
import Peers
import Protocols
import Radio
import Schemes

/// Moves what the recorder and the agent have to say into the log, and commits it before the loss window is
/// over.
struct LogKeeper<Flash: FlashDevice & ~Copyable>: RadioLog, ~Copyable {
    var log: EncounterLog<Flash>
    /// The open page's oldest entry may be this old.
    private let commitAfter: Interval
    /// When coverage was last asked for, and the log's end when what was said then had been committed.
    private var coverage = Instant.start
    private var coverageEnd: LogPosition?
    private(set) var failure: LogError?
    private var retry = Instant.start
    /// The identity that the log has for the board now.
    private var identity = LoggedIdentity()
    /// Something was appended since the last acknowledgement of all there was.
    var hasNews = false

    /// After the flash failed: how long to leave it alone.
    private static var retryPause: Interval { .seconds(1) }
    /// Entries taken over in one step: a page is programmed for every hundred or so, and a step must stay
    /// short.
    private static var entriesPerStep: Int { 128 }

    init(log: consuming EncounterLog<Flash>, lossWindow: Interval) {
        self.log = log
        // A step comes at least every tenth of a second; the page is on its way well within the window.
        commitAfter =
            lossWindow > .seconds(1) ? lossWindow - .milliseconds(500) : lossWindow / 2
    }

    /// Appends one of the agent's own entries. Those are never many; one that the flash refuses is lost and
    /// the log's counters say so.
    @inline(never)
    mutating func append(_ entry: LogEntry, now: Instant) {
        do throws(LogError) { try put(entry, now: now) } catch { failed(error, now) }
    }

    /// Whether the log has an identity for the board.
    var hasLoggedIdentity: Bool { identity.address != nil }

    /// Appends the identity that the board has from now on, in each scheme where it is a new one.
    mutating func append(_ own: OwnIdentity, now: Instant) {
        for index in 0..<SchemeID.linkCount {
            guard let scheme = SchemeID(linkIndex: index),
                let value = identity.takeChange(of: scheme, in: own)
            else { continue }
            append(value.span, of: scheme, own, now: now)
        }
        if identity.takeAddressChange(in: own) {
            append(own.payload.span, of: .herald, own, now: now)
        }
    }

    private mutating func append(
        _ value: Span<UInt8>, of scheme: SchemeID, _ own: OwnIdentity, now: Instant
    ) {
        append(
            .ownIdentity(
                OwnIdentityEntry(
                    instant: now, address: own.address.bytes,
                    addressType: own.address.addressType, scheme: SchemeCode(scheme),
                    identity: FixedBuffer(value) ?? FixedBuffer())),
            now: now)
    }

    /// Appends an entry that must be on the medium before what it tells of is done.
    /// - Returns: whether it is. If not, it may be there after all.
    mutating func commit(_ entry: LogEntry, now: Instant) -> Bool {
        do throws(LogError) {
            try put(entry, now: now)
            try log.commit()
            return true
        } catch {
            failed(error, now)
            return false
        }
    }

    mutating func put(_ entry: LogEntry, now: Instant) throws(LogError) {
        hasNews = true
        try log.append(entry, now: now)
    }

    /// Takes over waiting entries, and commits when it is time.
    mutating func advance(recorder: inout Recorder, now: Instant) {
        guard now >= retry else { return }
        do throws(LogError) {
            try appendGap(now: now)
            try take(Self.entriesPerStep, from: &recorder, now: now)
            if let oldest = log.oldestOpenEntry, now >= oldest + commitAfter {
                try log.commit()
            }
            failure = nil
        } catch {
            failed(error, now)
        }
    }

    /// Takes over so many waiting entries, or all there are.
    @inline(never)
    private mutating func take(_ limit: Int, from recorder: inout Recorder, now: Instant) throws(LogError) {
        var taken = 0
        while taken < limit, let entry = recorder.nextEntry() {
            do throws(LogError) {
                try put(entry, now: now)
                recorder.dropEntry()
            } catch {
                // What no page of this log has room for would keep all others waiting.
                guard error == .entryTooLong else { throw error }
                recorder.loseEntry()
            }
            taken += 1
        }
    }

    /// Whether the keys of the log's next epoch are still to be prepared, and can be now.
    func isPreparing(now: Instant) -> Bool { log.hasWork && now >= retry }

    /// Does a slice of that. What fails is tried again after a while, and at the latest when a page needs
    /// the keys.
    mutating func prepare(now: Instant) {
        do throws(LogError) { try log.prepareEpoch() } catch {
            retry = now + Self.retryPause
        }
    }

    /// Whether the log should be told now up to when the agent was able to see: the open page is about to
    /// go to the medium; or where pages fill before it is time for them, some have, and coverage is behind
    /// them by a part of the loss window.
    mutating func isCoverageDue(now: Instant) -> Bool {
        guard let oldest = log.oldestOpenEntry else { return false }
        let end = log.head.position
        let isBehind =
            end != coverageEnd ?? end && now >= coverage + commitAfter / 4
        coverageEnd = coverageEnd ?? end
        guard isBehind || now >= oldest + commitAfter else { return false }
        coverage = now
        coverageEnd = nil
        return true
    }

    /// The open page, onto the medium: a client is about to look what there is.
    mutating func commitOpenPage() {
        do throws(LogError) { try log.commit() } catch { failure = error }
    }

    /// What was erased, onto the medium. Some of it may be in memory already.
    mutating func commitGap(now: Instant) throws(LogError) {
        try appendGap(now: now)
        try log.commit()
    }

    /// Taken first: to append it may take a page, and that erase a segment, of which the next gap tells.
    private mutating func appendGap(now: Instant) throws(LogError) {
        if let gap = log.takeGap(now: now) { try put(.gap(gap), now: now) }
    }

    /// Everything that waits, onto the medium: before the agent stops.
    mutating func commitAll(recorder: inout Recorder, now: Instant) {
        do throws(LogError) {
            try take(.max, from: &recorder, now: now)
            try log.commit()
            failure = nil
        } catch {
            failed(error, now)
        }
    }

    private mutating func failed(_ error: LogError, _ now: Instant) {
        failure = error
        retry = now + Self.retryPause
    }
}
