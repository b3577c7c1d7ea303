import FixedMemory

/// How the board is doing: the answer to command 0 of group 64. Counters count since the agent started.
public struct BoardStatus: Equatable, Sendable {
    /// Fixed when the log was formatted: which log this is.
    public var logIdentity = Bytes<16>()
    /// Random for each start of the agent.
    public var bootIdentifier: UInt64 = 0
    public var monotonicMilliseconds: UInt64 = 0
    /// Milliseconds since 1970 UTC; nil while unknown.
    public var wallClockMilliseconds: UInt64?
    public var softwareVersion = Bytes<3>()

    /// Advertising reports heard, refused as malformed, and lost for want of room.
    public var reportCount: UInt32 = 0
    public var malformedReportCount: UInt32 = 0
    public var droppedReportCount: UInt32 = 0
    /// Peers that had to make room in a full table.
    public var evictedPeerCount: UInt32 = 0
    public var peerCount: UInt32 = 0
    public var openEncounterCount: UInt32 = 0
    public var encounterCount: UInt32 = 0
    /// Times the radio was brought up anew.
    public var radioResetCount: UInt32 = 0
    public var radioState: RadioState?
    /// The last fault found with the radio, as the log's radio entries number them; nil while there was none.
    public var radioFault: UInt8?
    /// How often each rung of the recovery ladder was taken.
    public var scanRestartCount: UInt32 = 0
    public var rolesRestartCount: UInt32 = 0
    public var controllerResetCount: UInt32 = 0
    public var reopenCount: UInt32 = 0
    public var powerCycleCount: UInt32 = 0
    /// Entries in memory that a power cut now would lose.
    public var uncommittedEntryCount: UInt32 = 0
    public var segmentCount: UInt32 = 0
    /// Segments erased to make room.
    public var erasedSegmentCount: UInt32 = 0

    public init() {}

    /// How the radio is doing. Values not named here survive being read.
    public struct RadioState: RawRepresentable, Equatable, Sendable, BitwiseCopyable {
        public var rawValue: UInt8
        public init(rawValue: UInt8) { self.rawValue = rawValue }

        public static let up = RadioState(rawValue: 0)
        public static let recovering = RadioState(rawValue: 1)
        /// It answers, and so long nothing was heard that the room is taken for quiet.
        public static let quiet = RadioState(rawValue: 2)
        public static let lost = RadioState(rawValue: 3)
    }
}

extension BoardStatus {
    func write(into sink: inout some ByteSink & ~Copyable) throws(CapacityError) {
        var count = 20
        if wallClockMilliseconds != nil { count += 1 }
        if radioState != nil { count += 1 }
        if radioFault != nil { count += 1 }
        try sink.append(cborMap: count)
        try sink.append(key: "log", bytes: logIdentity.span)
        try sink.append(key: "boot", unsigned: bootIdentifier)
        try sink.append(key: "ms", unsigned: monotonicMilliseconds)
        if let wallClockMilliseconds { try sink.append(key: "wall", unsigned: wallClockMilliseconds) }
        try sink.append(key: "version", bytes: softwareVersion.span)
        try sink.append(key: "reports", unsigned: UInt64(reportCount))
        try sink.append(key: "malformed", unsigned: UInt64(malformedReportCount))
        try sink.append(key: "dropped", unsigned: UInt64(droppedReportCount))
        try sink.append(key: "evicted", unsigned: UInt64(evictedPeerCount))
        try sink.append(key: "peers", unsigned: UInt64(peerCount))
        try sink.append(key: "open", unsigned: UInt64(openEncounterCount))
        try sink.append(key: "encounters", unsigned: UInt64(encounterCount))
        try sink.append(key: "resets", unsigned: UInt64(radioResetCount))
        try sink.append(key: "uncommitted", unsigned: UInt64(uncommittedEntryCount))
        try sink.append(key: "segments", unsigned: UInt64(segmentCount))
        try sink.append(key: "erased", unsigned: UInt64(erasedSegmentCount))
        if let radioState { try sink.append(key: "radio", unsigned: UInt64(radioState.rawValue)) }
        if let radioFault { try sink.append(key: "fault", unsigned: UInt64(radioFault)) }
        try sink.append(key: "rung1", unsigned: UInt64(scanRestartCount))
        try sink.append(key: "rung2", unsigned: UInt64(rolesRestartCount))
        try sink.append(key: "rung3", unsigned: UInt64(controllerResetCount))
        try sink.append(key: "rung4", unsigned: UInt64(reopenCount))
        try sink.append(key: "rung5", unsigned: UInt64(powerCycleCount))
    }

    /// Counters that an older board does not send are 0; what a newer one sends besides is passed over.
    init(_ map: CBORMap) throws(MalformedCBOR) {
        guard let log = try map.block("log", of: Bytes<16>.self), let boot = try map.unsigned("boot"),
            let monotonic = try map.unsigned("ms")
        else { throw MalformedCBOR() }
        logIdentity = log
        bootIdentifier = boot
        monotonicMilliseconds = monotonic
        wallClockMilliseconds = try map.unsigned("wall")
        softwareVersion = try map.block("version", of: Bytes<3>.self) ?? Bytes<3>()
        reportCount = try map.counter("reports")
        malformedReportCount = try map.counter("malformed")
        droppedReportCount = try map.counter("dropped")
        evictedPeerCount = try map.counter("evicted")
        peerCount = try map.counter("peers")
        openEncounterCount = try map.counter("open")
        encounterCount = try map.counter("encounters")
        radioResetCount = try map.counter("resets")
        uncommittedEntryCount = try map.counter("uncommitted")
        segmentCount = try map.counter("segments")
        erasedSegmentCount = try map.counter("erased")
        radioState = try map.code("radio").map { RadioState(rawValue: $0) }
        radioFault = try map.code("fault")
        scanRestartCount = try map.counter("rung1")
        rolesRestartCount = try map.counter("rung2")
        controllerResetCount = try map.counter("rung3")
        reopenCount = try map.counter("rung4")
        powerCycleCount = try map.counter("rung5")
    }
}

extension CBORMap {
    fileprivate func counter(_ key: StaticString) throws(MalformedCBOR) -> UInt32 {
        let value = try unsigned(key) ?? 0
        guard value <= 0xFFFF_FFFF else { throw MalformedCBOR() }
        return UInt32(truncatingIfNeeded: value)
    }

    /// A number of one byte; nil where an older board does not send it.
    fileprivate func code(_ key: StaticString) throws(MalformedCBOR) -> UInt8? {
        guard let value = try unsigned(key) else { return nil }
        guard let code = UInt8(exactly: value) else { throw MalformedCBOR() }
        return code
    }
}
