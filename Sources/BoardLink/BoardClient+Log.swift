import DeviceSync
import EncounterLog
import FixedMemory

/// What the board says of its log, and what may go of it.
extension BoardClient {
    public func manifest(nonce: Bytes<16>) throws(LinkError) -> SignedLogStatement {
        try ask("manifest") { sequence throws(CapacityError) in
            try SyncRequest.manifest(nonce: nonce, sequence: sequence)
        } reading: { response throws(SyncResponseError) in
            try response.manifest()
        }
    }

    /// Tells the board that its log is safe with us up to a position, and returns how many of its segments that is whole.
    @discardableResult
    public func acknowledge(_ position: SyncPosition) throws(LinkError) -> UInt32 {
        try command("acknowledgement") { sequence throws(CapacityError) in
            try SyncRequest.acknowledge(position, sequence: sequence)
        } reading: { response throws(SyncResponseError) in
            try response.segmentCount()
        }
    }

    /// The first segment that may hold something of a day or a later one: erase those before it, and nothing newer goes. What
    /// the board knew no day of counts as new, unless something behind it is old.
    ///
    /// - Parameter milliseconds: since 1970 UTC, in that day.
    public func firstSegment(notBefore milliseconds: Int64) throws(LinkError) -> UInt32 {
        let day = LogDay(wallClockMilliseconds: UInt64(clamping: milliseconds))
        return try SegmentAges(client: self, segments: index().segments).firstSegment(notBefore: day)
    }

    /// Has the board erase some segments and returns how many; ask again until there are none.
    public func erase(_ erasure: ErasureRequest) throws(LinkError) -> UInt32 {
        try command("erase") { sequence throws(CapacityError) in
            try SyncRequest.erase(erasure, sequence: sequence)
        } reading: { response throws(SyncResponseError) in
            try response.segmentCount()
        }
    }
}
