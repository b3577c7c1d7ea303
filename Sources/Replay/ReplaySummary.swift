import FixedMemory

/// The contents of a capture.
public struct ReplaySummary: BitwiseCopyable, Equatable, Sendable {
    /// HCI packets of every kind, in either direction.
    public internal(set) var packets: UInt32 = 0
    /// The number of these packets that were captured in part only.
    public internal(set) var cutPackets: UInt32 = 0
    /// Events whose bytes disagree with their length or kind.
    public internal(set) var malformedEvents: UInt32 = 0
    /// Events with advertising reports.
    public internal(set) var reportEvents: UInt32 = 0
    public internal(set) var links: UInt32 = 0
    /// Payloads read or written, including repeated ones.
    public internal(set) var identities: UInt32 = 0
    /// The capture's time, in milliseconds since 1970, from its first packet to its last.
    public internal(set) var first = Instant.start
    public internal(set) var last = Instant.start
    /// The number of times that its clock went back.
    public internal(set) var stepsBack: UInt32 = 0
    /// Records whose time was rejected: more than a day from the previous one without agreement from the
    /// next, or in 2100 or later.
    public internal(set) var wildTimes: UInt32 = 0

    public init() {}
}
