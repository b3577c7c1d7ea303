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
    private let commitAfter: Interval
    /// A client that proves nothing may have the open page committed once in this time.
    private let lossWindow: Interval
    private var nextClientCommit = Instant.start
    /// Whether the open page has entries that may not wait for ``earlyPages``.
    private var isUrgent = false
    /// The limit on pages that are programmed although only strangers' entries wait, or a client asks.
    private var earlyPages = LogAllowance.earlyPages
    /// When coverage was last due, and the end of the log when that coverage had been committed.
    private var coverage = Instant.start
    private var coverageEnd: LogPosition?
    /// Why the last write failed; nil if it succeeded.
    private(set) var failure: LogError?
    private var hasReportedFailure = false
    private var retry = Instant.start
    /// The board's identity as the log has it.
    private var identity = LoggedIdentity()
    /// The number of the log's pages at the last look.
    private var pageCount: UInt32 = 0
    /// Whether the log has entries that were appended after the last acknowledgement of the whole log.
    var hasNews = false

    /// The pause after a failure of the flash.
    private static var retryPause: Interval { .seconds(1) }
    /// The largest number of the recorder's entries that one step appends. About a hundred fill a page, so
    /// a step programs one or two pages.
    private static var entriesPerStep: Int { 128 }

    init(log: consuming EncounterLog<Flash>, lossWindow: Interval) {
        self.log = log
        self.lossWindow = lossWindow
        // Steps are at most a second apart, so half a second before the window's end is early enough for
        // open entries, which make steps come ten times a second.
        commitAfter =
            lossWindow > .seconds(1) ? lossWindow - .milliseconds(500) : lossWindow / 2
    }

    /// Appends one of the agent's own entries. There are few of them, so none waits in a queue: an entry
    /// that the flash refuses is lost and counted.
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

    /// Appends an entry and commits it, because the agent may only act on it once it is on the medium.
    /// - Returns: false if that failed. The entry may be on the medium all the same.
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
        if case .coverage = entry {} else { isUrgent = true }
        try log.append(entry, now: now)
    }

    /// Appends the recorder's entries, and commits the open page when it is old enough.
    mutating func advance(recorder: inout Recorder, now: Instant) {
        guard now >= retry else { return }
        do throws(LogError) {
            try appendGap(now: now)
            try take(Self.entriesPerStep, from: &recorder, now: now)
            isUrgent = isUrgent || recorder.hasUrgentEntries
            recorder.hasUrgentEntries = false
            if let oldest = log.oldestOpenEntry, isCommitDue(oldest: oldest, now: now) {
                if isUrgent { try commit() } else { try commitEarly(now: now) }
            }
            failure = nil
        } catch {
            failed(error, now)
        }
    }

    /// Appends at most `limit` of the recorder's entries.
    @inline(never)
    private mutating func take(_ limit: Int, from recorder: inout Recorder, now: Instant) throws(LogError) {
        var taken = 0
        while taken < limit, let entry = recorder.nextEntry() {
            do throws(LogError) {
                hasNews = true
                try log.append(entry, now: now)
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
    func isPreparing(now: Instant) -> Bool { log.hasWork && now >= retry }

    /// Prepares a slice of those keys. A failure is retried after a pause, and at the latest when a page
    /// needs the keys.
    mutating func prepare(now: Instant) {
        do throws(LogError) { try log.prepareEpoch() } catch {
            retry = now + Self.retryPause
        }
    }

    /// Whether coverage should be logged now. It is due when the open page is about to be committed, and,
    /// where pages fill earlier than that, when full pages are ahead of the last coverage by a quarter of
    /// the loss window.
    mutating func isCoverageDue(now: Instant) -> Bool {
        guard let oldest = log.oldestOpenEntry else { return false }
        let end = log.head.position
        let isBehind =
            end != coverageEnd ?? end && now >= coverage + commitAfter / 4
        coverageEnd = coverageEnd ?? end
        guard isBehind || isCommitDue(oldest: oldest, now: now) else { return false }
        coverage = now
        coverageEnd = nil
        return true
    }

    /// Whether the loss window is almost over. Entries of strangers also wait for the allowance.
    private func isCommitDue(oldest: Instant, now: Instant) -> Bool {
        now >= oldest + commitAfter && (isUrgent || earlyPages.allows(0, now: now))
    }

    /// Whether a client's request may have the open page committed now.
    func mayCommitForClient(now: Instant) -> Bool {
        now >= nextClientCommit && earlyPages.allows(0, now: now)
    }

    /// Commits the open page, because a client is about to read the log; once in a loss window, because
    /// each page wears the medium, and takes an older page's place in the end. Clients get what is
    /// committed, and the status has the number of entries that wait.
    mutating func commitForClient(now: Instant) {
        guard mayCommitForClient(now: now), log.openEntryCount > 0 else { return }
        nextClientCommit = now + lossWindow
        do throws(LogError) { try commitEarly(now: now) } catch { failure = error }
    }

    /// Lets the next request of a client have the open page committed: the operator has signed a command.
    mutating func allowCommitForClient() { nextClientCommit = .start }

    /// Commits a page that nothing needs on the medium now, if the allowance for such pages suffices.
    private mutating func commitEarly(now: Instant) throws(LogError) {
        guard earlyPages.allows(0, now: now) else { return }
        let before = log.counters.programmedBytes
        defer {
            let byteCount = log.counters.programmedBytes - before
            earlyPages.charge(Int(truncatingIfNeeded: byteCount), now: now)
        }
        try commit()
    }

    private mutating func commit() throws(LogError) {
        isUrgent = false
        try log.commit()
    }

    /// Commits the record of an erasure.
    mutating func commitGap(now: Instant) throws(LogError) {
        try appendGap(now: now)
        try log.commit()
    }

    /// Appends the record of erased segments. The log forgets the gap first, because appending may need a
    /// new page and so erase another segment, which belongs to the next record.
    private mutating func appendGap(now: Instant) throws(LogError) {
        if let gap = log.takeGap(now: now) { try put(.gap(gap), now: now) }
    }

    /// Appends and commits everything that waits, before the agent stops or ends its trial.
    mutating func commitAll(recorder: inout Recorder, now: Instant) {
        do throws(LogError) {
            try take(.max, from: &recorder, now: now)
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

    /// Whether a page was written since the last call.
    mutating func takePageChange() -> Bool {
        let count = log.counters.programmedPages
        defer { pageCount = count }
        return count != pageCount
    }

    private mutating func failed(_ error: LogError, _ now: Instant) {
        failure = error
        retry = now + Self.retryPause
    }
}
