/// What a capture held.
public struct ReplaySummary: BitwiseCopyable, Equatable, Sendable {
    /// HCI packets of every kind, either way.
    public internal(set) var packets: UInt32 = 0
    /// Of those, captured in part only.
    public internal(set) var cutPackets: UInt32 = 0
    /// Events whose bytes disagree with their length or kind.
    public internal(set) var malformedEvents: UInt32 = 0
    /// Events that hold advertising reports.
    public internal(set) var reportEvents: UInt32 = 0
    public internal(set) var links: UInt32 = 0
    /// Herald payloads read or written, the same one again included.
    public internal(set) var identities: UInt32 = 0
    /// The capture's time, in milliseconds since 1970, from its first packet to its last.
    public internal(set) var firstMilliseconds: UInt64 = 0
    public internal(set) var lastMilliseconds: UInt64 = 0
    /// How often its clock went back.
    public internal(set) var stepsBack: UInt32 = 0
    /// Records whose time was not believed: more than a day from the one before, with no agreement from the next, or of
    /// 2100 or later.
    public internal(set) var wildTimes: UInt32 = 0

    public init() {}
}
