import DeviceSync
import EncounterLog
import FixedMemory

/// What a client may have done to the log.
extension LogKeeper where Flash: ~Copyable {
    /// What the board can say of its log.
    func statement(nonce: Bytes<16>, nowMilliseconds now: UInt64) -> LogStatement {
        var statement = LogStatement()
        statement.logIdentity = log.logIdentity
        statement.bootIdentifier = log.bootIdentifier
        statement.nonce = nonce
        statement.oldestSegmentOrdinal = log.retainedSegment(from: 0)?.ordinal ?? 0
        let head = log.head
        statement.head = SyncPosition(head.position)
        statement.chainValue = head.chainValue
        statement.acknowledgedThrough = SyncPosition(log.syncedThrough)
        statement.monotonicMilliseconds = now
        return statement
    }

    /// Counts the log as safe elsewhere up to `position`, and has that on the medium before it returns how many segments
    /// that is whole. Said once more it does nothing.
    ///
    /// - Parameter key: fingerprint of the operator key that signed it; zero if there is none.
    mutating func acknowledge(
        _ position: LogPosition, by key: Bytes<16>, nowMilliseconds now: UInt64
    ) -> Result<UInt32, SMPRefusal> {
        do throws(LogError) {
            let isNew = position != log.syncedThrough
            try log.acknowledge(position)
            if isNew {
                let entry = AcknowledgementEntry(
                    monotonicMilliseconds: now, position: position, operatorFingerprint: key)
                try log.append(.acknowledgement(entry), nowMilliseconds: now)
            }
            try log.commit()
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
