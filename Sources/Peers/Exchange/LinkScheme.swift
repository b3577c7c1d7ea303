import EncounterLog

/// A scheme whose identities are read, or written to us, over links, beside Herald's.
public enum LinkScheme: UInt8, BitwiseCopyable, Sendable {
    case sonar, covidTracer, bleProximity

    public static var count: Int { 3 }

    public var logged: LogScheme { LogScheme(rawValue: rawValue + LogScheme.sonar.rawValue) }

    /// By which its devices are found; the recorder asks for schemes whose hint it takes note of.
    public var hint: PeerHint { PeerHint(rawValue: rawValue + PeerHint.sonar.rawValue) }

    /// How many bytes of an identity say who it is. Sonar's payload has a time behind them, and a code over it, which
    /// are others each time.
    var namingByteCount: Int { self == .sonar ? 108 : 129 }
}
