import EncounterLog
import FixedMemory
import HCI
import Peers
import Schemes

/// The parsed result of a value that a peer served or wrote, checked as far as a receiver can.
public enum SchemeReading: BitwiseCopyable, Equatable, Sendable {
    /// The first `byteCount` bytes are the peer's identity.
    case identity(byteCount: Int, IdentityMarks)
    /// The peer does not have an identity yet (Sonar's phones before they are registered).
    case notReady
    case refused(IdentityRefusal)

    /// `unixSeconds`: the current time; nil if unknown.
    public init(_ bytes: Span<UInt8>, of scheme: SchemeID, unixSeconds: UInt64?) {
        switch scheme {
        case .sonar: self = Self.sonar(bytes, unixSeconds)
        case .covidTracer: self = Self.plain(bytes, isLongEnough: bytes.count == 20, 20)
        // The original app also accepts a longer value, and uses its first eight bytes.
        case .bleProximity: self = Self.plain(bytes, isLongEnough: bytes.count >= 8, 8)
        // Links serve no identity of these schemes.
        case .herald, .exposureNotification, .robert, .dp3t, .tcn: self = .notReady
        }
    }

    /// Records the result. A peer that is not ready leaves no record.
    @inline(never)
    public func record(
        _ bytes: Span<UInt8>, of scheme: SchemeID, from peer: DeviceAddress, in recorder: inout Recorder,
        now: Instant
    ) {
        switch self {
        case .notReady: break
        case .refused(let reason):
            recorder.refuse(bytes, of: scheme, from: peer, because: reason, now: now)
        case .identity(let byteCount, let marks):
            recorder.identify(
                peer, as: bytes.extracting(first: byteCount), of: scheme, marks: marks, now: now)
        }
    }

    private static func plain(_ bytes: Span<UInt8>, isLongEnough: Bool, _ byteCount: Int) -> SchemeReading {
        guard isLongEnough else { return .refused(.wrongLength) }
        for index in 0..<byteCount where bytes[index] != 0 { return .identity(byteCount: byteCount, .none) }
        return .refused(.nobody)
    }

    /// Parses Sonar's payload. Only the authority can check the encrypted validity and the authentication
    /// code at the end. A country is a number of one to three digits (ISO 3166-1).
    private static func sonar(_ bytes: Span<UInt8>, _ unixSeconds: UInt64?) -> SchemeReading {
        if bytes.isEmpty { return .notReady }
        let payload: SonarPayload
        do throws(SonarRefusal) {
            payload = try SonarPayload(parsing: bytes)
        } catch {
            return .refused(error == .wrongLength ? .wrongLength : .notOnCurve)
        }
        guard 1...999 ~= payload.broadcast.country else { return .refused(.noCountry) }
        guard let unixSeconds else { return .identity(byteCount: SonarPayload.byteCount, .timeUnchecked) }
        guard payload.isFresh(observedAt: unixSeconds) else { return .refused(.notOfNow) }
        return .identity(byteCount: SonarPayload.byteCount, .none)
    }
}
