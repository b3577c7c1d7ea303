import FixedMemory

/// The recorder's settings.
public struct RecorderSettings: BitwiseCopyable, Sendable {
    /// The number of peers in the table.
    public var peerCapacity = 4096
    /// The length of a sample.
    public var sampleLength = Interval.seconds(8)
    /// The encounter timeout: longer silence ends an encounter. At most 30 s (HP-C33).
    public var encounterTimeout = Interval.seconds(30)
    /// A peer unheard for this long is forgotten, along with its identity.
    public var forget = Interval.minutes(15)
    /// A tentative peer heard for this long is confirmed, even without an identity.
    public var proving = Interval.seconds(10)
    /// The limits on what goes to the log of peers that have not given their identity.
    public var strangers = StrangerLimits()
    /// The number of entries that can wait for the log.
    public var entryCapacity = 1024
    /// Whether the recorder writes each reading, beside the samples.
    public var recordsReadings = false
    /// The kinds of adverts, of schemes other than Herald, that the recorder evaluates.
    public var heardHints = PeerHintSet()
    /// The minimum RSSI, in dBm, at which the agent probes a device whose adverts carry no identification.
    public var probeFloorDBm: Int8 = -85
    /// In raw mode: the number of packs of readings that can wait for the log.
    public var readingsCapacity = 512
    /// The number of samples, 32 bytes each, that can wait for all candidates together. Why so many:
    /// docs/peers.md.
    public var waitingSampleCapacity = 4096
    /// The number of samples that can wait for one candidate: 8 min of 8 s each, and 17 min of at most 24
    /// s. An iPhone's address lasts a quarter of an hour.
    public var longestWaitingSamples = 64
    /// In raw mode: the number of packs of candidates' readings that can wait.
    public var waitingReadingsCapacity = 1024
    /// The number of packs that can wait for one candidate: a quarter of an hour, heard four times a
    /// second.
    public var longestWaitingReadings = 72

    public init() {}
}
