/// How the recorder records.
public struct RecorderSettings: BitwiseCopyable, Sendable {
    /// Peers followed at once.
    public var peerCapacity = 4096
    /// The length of a sample.
    public var sampleMilliseconds: UInt64 = 8_000
    /// Silence longer than this ends an encounter. At most 30 s (HP-C33).
    public var gapMilliseconds: UInt64 = 30_000
    /// A peer unheard for this long is forgotten, its identity with it.
    public var forgetMilliseconds: UInt64 = 900_000
    /// A peer heard for this long is no tentative any more, even if we do not know who it is.
    public var provingMilliseconds: UInt64 = 10_000
    /// Entries waiting for the log.
    public var entryCapacity = 1024
    /// Whether each reading is written, beside the samples.
    public var recordsReadings = false
    /// Adverts of schemes other than Herald that are taken note of.
    public var heardHints = PeerHintSet()
    /// Whose adverts say nothing is only probed when heard at least so strong.
    public var probeFloorDBm: Int8 = -85
    /// Packs of readings waiting for the log, where they are written.
    public var readingsCapacity = 512
    /// Samples of candidates, all together, of 32 bytes each. Why so many: docs/peers.md.
    public var waitingSampleCapacity = 4096
    /// Samples of one candidate: 8 min of 8 s each, and 17 of at most 24 s. An iPhone's address lasts for a quarter of an hour.
    public var longestWaitingSamples = 64
    /// Packs of candidates' readings, where they are written.
    public var waitingReadingsCapacity = 1024
    /// Packs of one candidate: a quarter of an hour, heard four times a second.
    public var longestWaitingReadings = 72

    public init() {}
}
