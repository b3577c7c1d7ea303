/// Which family of identities an identity belongs to. The raw value is what the log holds: never reuse one.
public enum SchemeIdentifier: UInt8, BitwiseCopyable, Sendable {
    case herald = 1

    /// The name in exports and reports.
    public var name: StaticString {
        switch self {
        case .herald: "herald"
        }
    }
}
