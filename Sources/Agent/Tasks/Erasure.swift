import DeviceSync
import EncounterLog
import FixedMemory

/// An erasure that a client has asked for: a segment in each step.
struct Erasure {
    private let request: ErasureRequest
    private var count: UInt32 = 0

    /// In one request: a client does not wait for ever, and asks again while there is more.
    private static var segmentsPerRequest: UInt32 { 8 }

    init(_ request: ErasureRequest) { self.request = request }

    /// Erases a segment; how many it were, when there is none left to erase and that is on the medium.
    mutating func advance<Flash: FlashDevice & ~Copyable>(
        _ keeper: inout LogKeeper<Flash>, now: Instant
    ) -> Result<UInt32, SMPRefusal>? {
        do throws(LogError) {
            if count < Self.segmentsPerRequest, let oldest = keeper.log.oldestErasable,
                oldest < request.firstKeptOrdinal
            {
                if request.isForced || keeper.log.isAcknowledged(segment: oldest) {
                    count += 1
                    try keeper.log.eraseOldest(.command)
                    return nil
                } else if count == 0 {
                    return .failure(.notAcknowledged)
                }
            }
            try keeper.commitGap(now: now)
            return .success(count)
        } catch {
            return .failure(.unknown)
        }
    }
}
