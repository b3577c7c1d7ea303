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
    /// Peers that had to make room in a full table, and reports and identities of those for which there was none.
    public var evictedPeerCount: UInt32 = 0
    public var turnedAwayCount: UInt32 = 0
    /// Identities that were not taken because the peer had changed its own just before.
    public var refusedIdentityCount: UInt32 = 0
    /// Times that somebody said the payload that is the board's own.
    public var namesakeCount: UInt32 = 0
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
    /// Whether a wearable has an identity to show; nil for a beacon.
    public var identityState: IdentityState?
    /// Entries in memory that a power cut now would lose.
    public var uncommittedEntryCount: UInt32 = 0
    /// Whether pages are sealed from here on; nil when an older board does not say.
    public var isSealed: Bool?
    public var segmentCount: UInt32 = 0
    /// Segments erased to make room.
    public var erasedSegmentCount: UInt32 = 0
    /// Of these, the ones of which nobody had said that they are safe elsewhere.
    public var lostSegmentCount: UInt32 = 0
    /// So far somebody has.
    public var syncedThrough = SyncPosition()

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
    /// Whether a wearable has an identity to show, and if not, why. Values not named here survive being read.
    public struct IdentityState: RawRepresentable, Equatable, Sendable, BitwiseCopyable {
        public var rawValue: UInt8
        public init(rawValue: UInt8) { self.rawValue = rawValue }

        public static let present = IdentityState(rawValue: 0)
        public static let timeUnknown = IdentityState(rawValue: 1)
        /// There is no key of this day, or none yet.
        public static let keyMissing = IdentityState(rawValue: 3)
    }
}

extension BoardStatus {
    func write(into sink: inout some ByteSink & ~Copyable) throws(CapacityError) {
        var status = self
        var count = 4
        if wallClockMilliseconds != nil { count += 1 }
        if radioState != nil { count += 1 }
        if radioFault != nil { count += 1 }
        if identityState != nil { count += 1 }
        if isSealed != nil { count += 1 }
        status.forEachCounter { _, _ in count += 1 }
        try sink.append(cborMap: count)
        try sink.append(key: "log", bytes: logIdentity.span)
        try sink.append(key: "boot", unsigned: bootIdentifier)
        try sink.append(key: "ms", unsigned: monotonicMilliseconds)
        if let wallClockMilliseconds { try sink.append(key: "wall", unsigned: wallClockMilliseconds) }
        try sink.append(key: "version", bytes: softwareVersion.span)
        if let radioState { try sink.append(key: "radio", unsigned: UInt64(radioState.rawValue)) }
        if let radioFault { try sink.append(key: "fault", unsigned: UInt64(radioFault)) }
        try status.forEachCounter { key, value throws(CapacityError) in
            try sink.append(key: key, unsigned: UInt64(value))
        }
        if let identityState { try sink.append(key: "identity", unsigned: UInt64(identityState.rawValue)) }
        if let isSealed { try sink.append(key: "sealed", unsigned: isSealed ? 1 : 0) }
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
        radioState = try map.code("radio").map { RadioState(rawValue: $0) }
        radioFault = try map.code("fault")
        identityState = try map.code("identity").map { IdentityState(rawValue: $0) }
        isSealed = try map.code("sealed").map { $0 != 0 }
        try forEachCounter { key, value throws(MalformedCBOR) in value = try map.counter(key) }
    }

    /// Each counter with its key.
    private mutating func forEachCounter<Failure>(
        _ body: (StaticString, inout UInt32) throws(Failure) -> Void
    ) throws(Failure) {
        try body("reports", &reportCount)
        try body("malformed", &malformedReportCount)
        try body("dropped", &droppedReportCount)
        try body("evicted", &evictedPeerCount)
        try body("away", &turnedAwayCount)
        try body("refused", &refusedIdentityCount)
        try body("namesakes", &namesakeCount)
        try body("peers", &peerCount)
        try body("open", &openEncounterCount)
        try body("encounters", &encounterCount)
        try body("resets", &radioResetCount)
        try body("uncommitted", &uncommittedEntryCount)
        try body("segments", &segmentCount)
        try body("erased", &erasedSegmentCount)
        try body("lost", &lostSegmentCount)
        try body("syncseg", &syncedThrough.segmentOrdinal)
        try body("syncoff", &syncedThrough.byteOffset)
        try body("rung1", &scanRestartCount)
        try body("rung2", &rolesRestartCount)
        try body("rung3", &controllerResetCount)
        try body("rung4", &reopenCount)
        try body("rung5", &powerCycleCount)
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
