import DeviceSync
import EncounterLog
import FixedMemory

/// What a client may have done to the log.
extension LogKeeper where Flash: ~Copyable {
    /// What the board can say of its log.
    func statement(nonce: Bytes<16>, now: Instant) -> LogStatement {
        var statement = LogStatement()
        statement.logIdentity = log.logIdentity
        statement.bootIdentifier = log.bootIdentifier
        statement.nonce = nonce
        statement.oldestSegmentOrdinal = log.retainedSegment(from: 0)?.ordinal ?? 0
        let head = log.head
        statement.head = SyncPosition(head.position)
        statement.chainValue = head.chainValue
        statement.acknowledgedThrough = SyncPosition(log.syncedThrough)
        statement.instant = now
        return statement
    }

    /// Counts the log as safe elsewhere up to `position`, and returns how many segments that is whole. If
    /// those are more than before, that is on the medium by then, else within the loss window; said once
    /// more, or of no more than what says it, it is not written: a docked board would write a page for each
    /// acknowledgement of the page with the last one.
    ///
    /// - Parameter key: fingerprint of the operator key that signed it; zero if there is none.
    mutating func acknowledge(
        _ position: LogPosition, by key: Bytes<16>, now: Instant
    ) -> Result<UInt32, SMPRefusal> {
        do throws(LogError) {
            let before = log.syncedThrough
            try log.acknowledge(position)
            let isWholeSegment = position.segmentOrdinal > before.segmentOrdinal
            let isAll = position == log.head.position && log.openEntryCount == 0
            if position != before, isWholeSegment || hasNews || !isAll {
                let entry = AcknowledgementEntry(instant: now, position: position, operatorFingerprint: key)
                try log.append(.acknowledgement(entry), now: now)
                if isAll { hasNews = false }
            }
            if isWholeSegment { try log.commit() }
        } catch {
            return .failure(error == .noSuchSegment ? .positionUnknown : .unknown)
        }
        guard let oldest = log.retainedSegment(from: 0)?.ordinal, oldest < position.segmentOrdinal else {
            return .success(0)
        }
        return .success(position.segmentOrdinal - oldest)
    }
}

extension LogPosition {
    init(_ position: SyncPosition) {
        self.init(segmentOrdinal: position.segmentOrdinal, byteOffset: position.byteOffset)
    }
}

extension SyncPosition {
    init(_ position: LogPosition) {
        self.init(segmentOrdinal: position.segmentOrdinal, byteOffset: position.byteOffset)
    }
}
