import DeviceSync
import EncounterLog
import FixedMemory

/// The board's statements about its log, and commands that erase parts of it.
extension BoardClient {
    public func manifest(nonce: Bytes<16>) throws(LinkError) -> SignedLogStatement {
        try ask("manifest") { sequence throws(CapacityError) in
            try SyncRequest.manifest(nonce: nonce, sequence: sequence)
        } reading: { response throws(SyncResponseError) in
            try response.manifest()
        }
    }

    /// Acknowledges that the log is safely stored up to a position. Returns the number of segments that lie
    /// entirely before it.
    @discardableResult
    public func acknowledge(_ position: SyncPosition) throws(LinkError) -> UInt32 {
        try command("acknowledgement") { sequence throws(CapacityError) in
            try SyncRequest.acknowledge(position, sequence: sequence)
        } reading: { response throws(SyncResponseError) in
            try response.segmentCount()
        }
    }

    /// The first segment that may contain entries of a given day or later. Erasing only segments before it
    /// removes nothing newer. Segments of an unknown day count as new, unless a later segment is known to be
    /// older.
    ///
    /// - Parameter time: a time within that day.
    public func firstSegment(notBefore time: WallClockTime) throws(LinkError) -> UInt32 {
        let day = LogDay(wallClock: time)
        return try SegmentAges(client: self, segments: index().segments).firstSegment(notBefore: day)
    }

    /// Tells the board to erase segments, and returns how many it erased. Repeat the request until it returns
    /// 0.
    public func erase(_ erasure: ErasureRequest) throws(LinkError) -> UInt32 {
        try command("erase") { sequence throws(CapacityError) in
            try SyncRequest.erase(erasure, sequence: sequence)
        } reading: { response throws(SyncResponseError) in
            try response.segmentCount()
        }
    }
}
