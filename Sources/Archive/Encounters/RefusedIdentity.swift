import EncounterLog
import FixedMemory

/// An invalid identity that a peer presented. The board treated the peer as unidentified.
public struct RefusedIdentity: Sendable, Equatable {
    public var instant: Instant
    /// The ``Track/number`` of the peer; nil without a track.
    public var track: UInt32?
    public var scheme: SchemeCode
    public var reason: IdentityRefusal
    public var marks: IdentityMarks
    /// The bytes as the peer presented them.
    public var bytes: [UInt8]

    public init(
        instant: Instant, track: UInt32? = nil, scheme: SchemeCode, reason: IdentityRefusal,
        marks: IdentityMarks = .none, bytes: [UInt8]
    ) {
        self.instant = instant
        self.track = track
        self.scheme = scheme
        self.reason = reason
        self.marks = marks
        self.bytes = bytes
    }
}

extension IdentityRefusal {
    /// The reason's name for programs, as in the documentation; a reason of a later version by its number.
    public var name: String {
        switch self {
        case .wrongLength: "wrongLength"
        case .notOnCurve: "notOnCurve"
        case .noCountry: "noCountry"
        case .notOfNow: "notOfNow"
        case .nobody: "nobody"
        default: "reason\(rawValue)"
        }
    }
}
