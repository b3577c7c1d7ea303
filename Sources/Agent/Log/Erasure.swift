import DeviceSync
import EncounterLog
import FixedMemory

/// An erasure that a client has requested. Each step erases one segment.
struct Erasure {
    private let request: ErasureRequest
    private var count: UInt32 = 0

    /// The limit for one request, because a client does not wait for ever. It repeats its request for more.
    private static var segmentsPerRequest: UInt32 { 8 }

    init(_ request: ErasureRequest) { self.request = request }

    /// Erases a segment. After the last one, and once the log has recorded that, returns their number.
    mutating func advance<Flash: FlashDevice & ~Copyable>(
        _ writer: inout LogWriter<Flash>, now: Instant
    ) -> Result<UInt32, SMPRefusal>? {
        do throws(LogError) {
            if count < Self.segmentsPerRequest, let oldest = writer.log.oldestErasable,
                oldest < request.firstKeptOrdinal
            {
                if request.isForced || writer.log.isAcknowledged(segment: oldest) {
                    count += 1
                    try writer.log.eraseOldest(.command)
                    return nil
                } else if count == 0 {
                    return .failure(.notAcknowledged)
                }
            }
            try writer.commitGap(now: now)
            return .success(count)
        } catch {
            return .failure(.unknown)
        }
    }
}
