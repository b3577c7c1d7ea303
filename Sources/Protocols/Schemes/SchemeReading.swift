import EncounterLog
import FixedMemory
import HCI
import Peers
import Schemes

/// What was read from a peer, or written by it, checked as far as a receiver can.
public enum SchemeReading: BitwiseCopyable, Equatable, Sendable {
    /// So many bytes of it, from the first on, are who it is.
    case identity(byteCount: Int, IdentityMarks)
    /// It does not know yet who it is (Sonar's phones before they are registered).
    case notReady
    case refused(IdentityRefusal)

    /// `unixSeconds`: now; nil when nobody knows.
    public init(_ bytes: Span<UInt8>, of scheme: SchemeID, unixSeconds: UInt64?) {
        switch scheme {
        case .sonar: self = Self.sonar(bytes, unixSeconds)
        case .covidTracer: self = Self.plain(bytes, isLongEnough: bytes.count == 20, 20)
        // As the original takes it: who says more is taken by the first eight.
        case .bleProximity: self = Self.plain(bytes, isLongEnough: bytes.count >= 8, 8)
        // Links serve no identity of these.
        case .herald, .exposureNotification, .robert, .dp3t, .tcn: self = .notReady
        }
    }

    /// Hands what it makes of these bytes to the recorder: nothing of who is not ready.
    public func record(
        _ bytes: Span<UInt8>, of scheme: SchemeID, from peer: DeviceAddress, in recorder: inout Recorder,
        nowMilliseconds now: UInt64
    ) {
        switch self {
        case .notReady: break
        case .refused(let reason):
            recorder.refuse(bytes, of: scheme, from: peer, because: reason, nowMilliseconds: now)
        case .identity(let byteCount, let marks):
            recorder.identify(
                peer, as: bytes.extracting(first: byteCount), of: scheme, marks: marks, nowMilliseconds: now)
        }
    }

    private static func plain(_ bytes: Span<UInt8>, isLongEnough: Bool, _ byteCount: Int) -> SchemeReading {
        guard isLongEnough else { return .refused(.wrongLength) }
        for index in 0..<byteCount where bytes[index] != 0 { return .identity(byteCount: byteCount, .none) }
        return .refused(.nobody)
    }

    /// What only the authority can open stays unchecked: the validity inside, the code at the end. A country has a number
    /// of three digits (ISO 3166-1).
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
