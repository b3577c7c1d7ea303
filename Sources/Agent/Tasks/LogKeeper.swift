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
    private let commitAfterMilliseconds: UInt64
    /// When coverage was last asked for, and the log's end when what was said then had been committed.
    private var coverageMilliseconds: UInt64 = 0
    private var coverageEnd: LogPosition?
    private(set) var failure: LogError?
    private var retryMilliseconds: UInt64 = 0
    /// The identity that the log has for the board now.
    private var identity = LoggedIdentity()
    /// Something was appended since the last acknowledgement of all there was.
    var hasNews = false

    /// After the flash failed: how long to leave it alone.
    private static var retryPauseMilliseconds: UInt64 { 1_000 }
    /// Entries taken over in one step: a page is programmed for every hundred or so, and a step must stay
    /// short.
    private static var entriesPerStep: Int { 128 }

    init(log: consuming EncounterLog<Flash>, lossWindowMilliseconds: UInt64) {
        self.log = log
        // A step comes at least every tenth of a second; the page is on its way well within the window.
        commitAfterMilliseconds =
            lossWindowMilliseconds > 1_000 ? lossWindowMilliseconds - 500 : lossWindowMilliseconds / 2
    }

    /// Appends one of the agent's own entries. Those are never many; one that the flash refuses is lost and
    /// the log's counters say so.
    @inline(never)
    mutating func append(_ entry: LogEntry, nowMilliseconds now: UInt64) {
        do throws(LogError) { try put(entry, nowMilliseconds: now) } catch { failed(error, now) }
    }

    /// Whether the log has an identity for the board.
    var hasLoggedIdentity: Bool { identity.address != nil }

    /// Appends the identity that the board has from now on, in each scheme where it is a new one.
    mutating func append(_ own: OwnIdentity, nowMilliseconds now: UInt64) {
        for index in 0..<SchemeID.linkCount {
            guard let scheme = SchemeID(linkIndex: index),
                let value = identity.takeChange(of: scheme, in: own)
            else { continue }
            append(value.span, of: scheme, own, nowMilliseconds: now)
        }
        if identity.takeAddressChange(in: own) {
            append(own.payload.span, of: .herald, own, nowMilliseconds: now)
        }
    }

    private mutating func append(
        _ value: Span<UInt8>, of scheme: SchemeID, _ own: OwnIdentity, nowMilliseconds now: UInt64
    ) {
        append(
            .ownIdentity(
                OwnIdentityEntry(
                    monotonicMilliseconds: now, address: own.address.bytes,
                    addressType: own.address.addressType, scheme: SchemeCode(scheme),
                    identity: FixedBuffer(value) ?? FixedBuffer())),
            nowMilliseconds: now)
    }

    /// Appends an entry that must be on the medium before what it tells of is done.
    /// - Returns: whether it is. If not, it may be there after all.
    mutating func commit(_ entry: LogEntry, nowMilliseconds now: UInt64) -> Bool {
        do throws(LogError) {
            try put(entry, nowMilliseconds: now)
            try log.commit()
            return true
        } catch {
            failed(error, now)
            return false
        }
    }

    mutating func put(_ entry: LogEntry, nowMilliseconds now: UInt64) throws(LogError) {
        hasNews = true
        try log.append(entry, nowMilliseconds: now)
    }

    /// Takes over waiting entries, and commits when it is time.
    mutating func advance(recorder: inout Recorder, nowMilliseconds now: UInt64) {
        guard now >= retryMilliseconds else { return }
        do throws(LogError) {
            try appendGap(nowMilliseconds: now)
            try take(Self.entriesPerStep, from: &recorder, nowMilliseconds: now)
            if let oldest = log.oldestOpenEntryMilliseconds, now >= oldest + commitAfterMilliseconds {
                try log.commit()
            }
            failure = nil
        } catch {
            failed(error, now)
        }
    }

    /// Takes over so many waiting entries, or all there are.
    @inline(never)
    private mutating func take(
        _ limit: Int, from recorder: inout Recorder, nowMilliseconds now: UInt64
    ) throws(LogError) {
        var taken = 0
        while taken < limit, let entry = recorder.nextEntry() {
            do throws(LogError) {
                try put(entry, nowMilliseconds: now)
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
    func isPreparing(nowMilliseconds now: UInt64) -> Bool { log.hasWork && now >= retryMilliseconds }

    /// Does a slice of that. What fails is tried again after a while, and at the latest when a page needs
    /// the keys.
    mutating func prepare(nowMilliseconds now: UInt64) {
        do throws(LogError) { try log.prepareEpoch() } catch {
            retryMilliseconds = now + Self.retryPauseMilliseconds
        }
    }

    /// Whether the log should be told now up to when the agent was able to see: the open page is about to
    /// go to the medium; or where pages fill before it is time for them, some have, and coverage is behind
    /// them by a part of the loss window.
    mutating func isCoverageDue(nowMilliseconds now: UInt64) -> Bool {
        guard let oldest = log.oldestOpenEntryMilliseconds else { return false }
        let end = log.head.position
        let isBehind =
            end != coverageEnd ?? end && now >= coverageMilliseconds + commitAfterMilliseconds / 4
        coverageEnd = coverageEnd ?? end
        guard isBehind || now >= oldest + commitAfterMilliseconds else { return false }
        coverageMilliseconds = now
        coverageEnd = nil
        return true
    }

    /// The open page, onto the medium: a client is about to look what there is.
    mutating func commitOpenPage() {
        do throws(LogError) { try log.commit() } catch { failure = error }
    }

    /// What was erased, onto the medium. Some of it may be in memory already.
    mutating func commitGap(nowMilliseconds now: UInt64) throws(LogError) {
        try appendGap(nowMilliseconds: now)
        try log.commit()
    }

    /// Taken first: to append it may take a page, and that erase a segment, of which the next gap tells.
    private mutating func appendGap(nowMilliseconds now: UInt64) throws(LogError) {
        if let gap = log.takeGap(nowMilliseconds: now) { try put(.gap(gap), nowMilliseconds: now) }
    }

    /// Everything that waits, onto the medium: before the agent stops.
    mutating func commitAll(recorder: inout Recorder, nowMilliseconds now: UInt64) {
        do throws(LogError) {
            try take(.max, from: &recorder, nowMilliseconds: now)
            try log.commit()
            failure = nil
        } catch {
            failed(error, now)
        }
    }

    private mutating func failed(_ error: LogError, _ now: UInt64) {
        failure = error
        retryMilliseconds = now + Self.retryPauseMilliseconds
    }
}
