import FixedMemory
import Schemes

/// A Sonar payload that was read from a peer, with the time. Its ephemeral key is only checked when the
/// payload is resolved.
public struct SonarReading: Sendable {
    let payload: SonarPayload
    /// The time of the observation in seconds since 1970.
    public let observedAt: UInt64

    public init(_ payload: SonarPayload, observedAt: UInt64) {
        self.payload = payload
        self.observedAt = observedAt
    }

    /// - Throws: `.wrongLength` unless there are 129 bytes.
    public init(_ bytes: Span<UInt8>, observedAt: UInt64) throws(SonarRefusal) {
        guard bytes.count == SonarPayload.byteCount,
            let value = Bytes<108>(bytes.extracting(0..<SonarBroadcastValue.byteCount))
        else { throw .wrongLength }
        self.init(
            try SonarPayload(
                SonarBroadcastValue(uncheckedPoint: value),
                rest: bytes.extracting(SonarBroadcastValue.byteCount..<SonarPayload.byteCount)),
            observedAt: observedAt)
    }
}
