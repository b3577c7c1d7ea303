import EncounterLog

/// What a peer said it is, and cannot be: its board took it for nobody.
public struct RefusedIdentity: Sendable, Equatable {
    public var monotonicMilliseconds: Int64
    /// The ``RecordedTrack/number`` of the peer; nil where there is none.
    public var track: UInt32?
    public var scheme: SchemeCode
    public var reason: IdentityRefusal
    public var marks: IdentityMarks
    /// As it said it.
    public var bytes: [UInt8]

    public init(
        monotonicMilliseconds: Int64, track: UInt32? = nil, scheme: SchemeCode, reason: IdentityRefusal,
        marks: IdentityMarks = .none, bytes: [UInt8]
    ) {
        self.monotonicMilliseconds = monotonicMilliseconds
        self.track = track
        self.scheme = scheme
        self.reason = reason
        self.marks = marks
        self.bytes = bytes
    }
}

extension IdentityRefusal {
    /// For programs: as in the documentation; one of a later version by its number.
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
