import DeviceSync
import EncounterLog
import FixedMemory

/// Requests of a client that concern the log.
extension LogWriter where Flash: ~Copyable {
    /// The state of the log, for the client to have signed.
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

    /// Marks the log as safe on the client's side up to `position`, and returns how many segments that
    /// covers completely.
    ///
    /// An acknowledgement that covers another segment is committed immediately; any other is committed within
    /// the loss window. A repeated acknowledgement, and one that only covers the entry of the last one, is
    /// not written: otherwise a docked board would write a page for every acknowledgement of the page before
    /// it.
    ///
    /// - Parameter key: The fingerprint of the operator key that signed the request; zero if there is none.
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
