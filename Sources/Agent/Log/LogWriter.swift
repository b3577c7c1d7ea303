import EncounterLog
import FixedMemory
import HCI
import Peers
import Protocols
import Radio
import Schemes

/// The only writer of the log: it appends the entries of recorder, radio and agent, and commits them before
/// the loss window has passed.
struct LogWriter<Flash: FlashDevice & ~Copyable>: RadioLog, ~Copyable {
    var log: EncounterLog<Flash>
    /// The open page's oldest entry may be this old.
    private let commitAfterMilliseconds: UInt64
    /// When coverage was last due, and the end of the log when that coverage had been committed.
    private var coverageMilliseconds: UInt64 = 0
    private var coverageEnd: LogPosition?
    /// Why the last write failed; nil if it succeeded.
    private(set) var failure: LogError?
    private var hasReportedFailure = false
    private var retryMilliseconds: UInt64 = 0
    /// The board's identity as the log has it.
    private var identity = LoggedIdentity()
    /// Whether the log has entries that were appended after the last acknowledgement of the whole log.
    var hasNews = false

    /// The pause after a failure of the flash.
    private static var retryPauseMilliseconds: UInt64 { 1_000 }
    /// The largest number of the recorder's entries that one step appends. About a hundred fill a page, so
    /// a step programs one or two pages.
    private static var entriesPerStep: Int { 128 }

    init(log: consuming EncounterLog<Flash>, lossWindowMilliseconds: UInt64) {
        self.log = log
        // Steps are at most a second apart, so half a second before the window's end is early enough for
        // open entries, which make steps come ten times a second.
        commitAfterMilliseconds =
            lossWindowMilliseconds > 1_000 ? lossWindowMilliseconds - 500 : lossWindowMilliseconds / 2
    }

    /// Appends one of the agent's own entries. There are few of them, so none waits in a queue: an entry
    /// that the flash refuses is lost and counted.
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

    /// Appends an entry and commits it, because the agent may only act on it once it is on the medium.
    /// - Returns: false if that failed. The entry may be on the medium all the same.
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

    /// Appends the recorder's entries, and commits the open page when it is old enough.
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

    /// Appends at most `limit` of the recorder's entries.
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
                // An entry that fits no page of this log would block all others.
                guard error == .entryTooLong else { throw error }
                recorder.loseEntry()
            }
            taken += 1
        }
    }

    /// Whether the keys of the next epoch must still be prepared, and the pause after a failure is over.
    func isPreparing(nowMilliseconds now: UInt64) -> Bool { log.hasWork && now >= retryMilliseconds }

    /// Prepares a slice of those keys. A failure is retried after a pause, and at the latest when a page
    /// needs the keys.
    mutating func prepare(nowMilliseconds now: UInt64) {
        do throws(LogError) { try log.prepareEpoch() } catch {
            retryMilliseconds = now + Self.retryPauseMilliseconds
        }
    }

    /// Whether coverage should be logged now. It is due when the open page is about to be committed, and,
    /// where pages fill earlier than that, when full pages are ahead of the last coverage by a quarter of
    /// the loss window.
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

    /// Commits the open page, because a client is about to read the log.
    mutating func commitOpenPage() {
        do throws(LogError) { try log.commit() } catch { failure = error }
    }

    /// Commits the record of an erasure.
    mutating func commitGap(nowMilliseconds now: UInt64) throws(LogError) {
        try appendGap(nowMilliseconds: now)
        try log.commit()
    }

    /// Appends the record of erased segments. The log forgets the gap first, because appending may need a
    /// new page and so erase another segment, which belongs to the next record.
    private mutating func appendGap(nowMilliseconds now: UInt64) throws(LogError) {
        if let gap = log.takeGap(nowMilliseconds: now) { try put(.gap(gap), nowMilliseconds: now) }
    }

    /// Appends and commits everything that waits, before the agent stops.
    mutating func commitAll(recorder: inout Recorder, nowMilliseconds now: UInt64) {
        do throws(LogError) {
            try take(.max, from: &recorder, nowMilliseconds: now)
            try log.commit()
            failure = nil
        } catch {
            failed(error, now)
        }
    }

    /// Whether writing has failed (true) or works again (false) since the last call; nil if nothing changed.
    mutating func takeFailureChange() -> Bool? {
        let hasFailed = failure != nil
        guard hasFailed != hasReportedFailure else { return nil }
        hasReportedFailure = hasFailed
        return hasFailed
    }

    private mutating func failed(_ error: LogError, _ now: UInt64) {
        failure = error
        retryMilliseconds = now + Self.retryPauseMilliseconds
    }
}
