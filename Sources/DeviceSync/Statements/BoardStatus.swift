import FixedMemory

/// The board's state, as command 0 of group 64 returns it. Counters count from the start of the agent.
public struct BoardStatus: Equatable, Sendable {
    /// The log's identity, fixed when the log was formatted.
    public var logIdentity = Bytes<16>()
    /// A random number for each start of the agent.
    public var bootIdentifier: UInt64 = 0
    public var instant = Instant.start
    /// Milliseconds since 1970 UTC; nil while the board does not know the time.
    public var wallClock: WallClockTime?
    public var softwareVersion = Bytes<3>()

    /// Advertising reports received, reports refused as malformed, and entries dropped for lack of space.
    public var reportCount: UInt32 = 0
    public var malformedReportCount: UInt32 = 0
    public var droppedEntryCount: UInt32 = 0
    /// Peers evicted from the full peer table, and reports and identities refused because the table had no
    /// room.
    public var evictedPeerCount: UInt32 = 0
    public var turnedAwayCount: UInt32 = 0
    /// Identities refused because the peer had changed its identity just before.
    public var refusedIdentityCount: UInt32 = 0
    /// The number of times another device sent the board's own payload (a duplicate identity).
    public var duplicateIdentityCount: UInt32 = 0
    public var peerCount: UInt32 = 0
    public var openEncounterCount: UInt32 = 0
    public var encounterCount: UInt32 = 0
    /// The number of times the radio was brought up again.
    public var radioResetCount: UInt32 = 0
    public var radioState: RadioState?
    /// The most recent radio fault, numbered as in the log's radio entries; nil if there was none.
    public var radioFault: UInt8?
    /// The number of times each rung of the recovery ladder was taken.
    public var scanRestartCount: UInt32 = 0
    public var rolesRestartCount: UInt32 = 0
    public var controllerResetCount: UInt32 = 0
    public var reopenCount: UInt32 = 0
    public var powerCycleCount: UInt32 = 0
    /// Whether a wearable has an identity to advertise; nil for a beacon.
    public var identityState: IdentityState?
    /// Entries in memory that a power cut would lose now.
    public var uncommittedEntryCount: UInt32 = 0
    /// Whether new pages are sealed; nil if the board is too old to report it.
    public var isSealed: Bool?
    /// Whether the medium takes new pages; false while it refuses them. Nil if the board is too old to report
    /// it.
    public var takesPages: Bool?
    /// Failed attempts at programming a page or erasing a segment.
    public var flashFailureCount: UInt32 = 0
    /// The moments that the wearer marked.
    public var markerCount: UInt32 = 0
    /// The board's battery; nil if nothing on the board reports one.
    public var battery: Battery?
    /// Which agent runs; nil if no launcher has started it.
    public var update: Update?
    /// Whether a client has sent something over the sync port in the last seconds. Boards before 0.3 never
    /// report it.
    public var isSyncing = false
    public var segmentCount: UInt32 = 0
    /// Segments erased to free space.
    public var erasedSegmentCount: UInt32 = 0
    /// Erased segments that no client had acknowledged as safely stored elsewhere.
    public var lostSegmentCount: UInt32 = 0
    /// The position up to which a client has acknowledged the log as safely stored elsewhere.
    public var syncedThrough = SyncPosition()

    public init() {}

    /// The state of the radio. Reading keeps values that have no name here.
    public struct RadioState: RawRepresentable, Equatable, Sendable, BitwiseCopyable {
        public var rawValue: UInt8
        public init(rawValue: UInt8) { self.rawValue = rawValue }

        public static let up = RadioState(rawValue: 0)
        public static let recovering = RadioState(rawValue: 1)
        /// The controller answers, but nothing was heard for so long that the room is assumed to be empty.
        public static let quiet = RadioState(rawValue: 2)
        public static let lost = RadioState(rawValue: 3)
        /// The board is not set up, and leaves its radio alone.
        public static let unused = RadioState(rawValue: 4)
    }
}

extension BoardStatus {
    /// Whether a wearable has an identity to advertise, and if not, why. Reading keeps values that have no
    /// name here.
    public struct IdentityState: RawRepresentable, Equatable, Sendable, BitwiseCopyable {
        public var rawValue: UInt8
        public init(rawValue: UInt8) { self.rawValue = rawValue }

        public static let present = IdentityState(rawValue: 0)
        public static let timeUnknown = IdentityState(rawValue: 1)
        /// The board has no key for this day, or not yet.
        public static let keyMissing = IdentityState(rawValue: 3)
    }
}

extension BoardStatus {
    /// Where the running agent comes from.
    public struct Update: Equatable, Sendable, BitwiseCopyable {
        /// 0 for the installed package, 1 or 2 for an update.
        public var slot: UInt8
        /// Whether it must still show that it runs well.
        public var isOnTrial: Bool

        public init(slot: UInt8, isOnTrial: Bool) {
            self.slot = slot
            self.isOnTrial = isOnTrial
        }
    }
}

extension BoardStatus {
    /// The state of a battery.
    public struct Battery: Equatable, Sendable, BitwiseCopyable {
        /// 0 to 100; nil if unknown.
        public var percent: UInt8?
        /// Whether it is being charged, numbered as in the log's battery entries.
        public var state: UInt8
        /// Whether the board may lose its power soon.
        public var isLow: Bool

        public init(percent: UInt8?, state: UInt8, isLow: Bool) {
            self.percent = percent
            self.state = state
            self.isLow = isLow
        }
    }
}

extension BoardStatus {
    /// The status as the SMP packet that answers command 0 of group 64, for programs on the board; nil if it
    /// does not fit.
    public func packet() -> SMPPacket? {
        var packet = SMPPacket(SMPHeader(.readResponse, .boardStatus, sequence: 0))
        do throws(CapacityError) { try write(into: &packet) } catch { return nil }
        return packet
    }

    func write(into sink: inout some ByteSink & ~Copyable) throws(CapacityError) {
        var status = self
        var count = 4
        if wallClock != nil { count += 1 }
        if radioState != nil { count += 1 }
        if radioFault != nil { count += 1 }
        if identityState != nil { count += 1 }
        if isSealed != nil { count += 1 }
        if takesPages != nil { count += 1 }
        if isSyncing { count += 1 }
        if markerCount > 0 { count += 1 }
        if let update { count += update.isOnTrial ? 2 : 1 }
        if let battery { count += battery.percent == nil ? 2 : 3 }
        status.forEachCounter { _, _ in count += 1 }
        try sink.append(cborMap: count)
        try sink.append(key: "log", bytes: logIdentity.span)
        try sink.append(key: "boot", unsigned: bootIdentifier)
        try sink.append(key: "ms", unsigned: instant.milliseconds)
        if let wallClock { try sink.append(key: "wall", unsigned: wallClock.milliseconds) }
        try sink.append(key: "version", bytes: softwareVersion.span)
        if let radioState { try sink.append(key: "radio", unsigned: UInt64(radioState.rawValue)) }
        if let radioFault { try sink.append(key: "fault", unsigned: UInt64(radioFault)) }
        try status.forEachCounter { key, value throws(CapacityError) in
            try sink.append(key: key, unsigned: UInt64(value))
        }
        if let identityState { try sink.append(key: "identity", unsigned: UInt64(identityState.rawValue)) }
        if let isSealed { try sink.append(key: "sealed", unsigned: isSealed ? 1 : 0) }
        if let takesPages { try sink.append(key: "writable", unsigned: takesPages ? 1 : 0) }
        // The smallest packets have no room for what says nothing.
        if isSyncing { try sink.append(key: "client", unsigned: 1) }
        if markerCount > 0 { try sink.append(key: "markers", unsigned: UInt64(markerCount)) }
        if let update {
            try sink.append(key: "slot", unsigned: UInt64(update.slot))
            if update.isOnTrial { try sink.append(key: "trial", unsigned: 1) }
        }
        guard let battery else { return }
        if let percent = battery.percent { try sink.append(key: "battery", unsigned: UInt64(percent)) }
        try sink.append(key: "charge", unsigned: UInt64(battery.state))
        try sink.append(key: "low", unsigned: battery.isLow ? 1 : 0)
    }

    /// Reads a status. Counters that an older board does not send are 0; unknown keys of a newer board are
    /// skipped.
    init(_ map: CBORMap) throws(MalformedCBOR) {
        guard let log = try map.block("log", of: Bytes<16>.self), let boot = try map.unsigned("boot"),
            let monotonic = try map.unsigned("ms")
        else { throw MalformedCBOR() }
        logIdentity = log
        bootIdentifier = boot
        instant = Instant(milliseconds: monotonic)
        wallClock = try map.unsigned("wall").map { WallClockTime(milliseconds: $0) }
        softwareVersion = try map.block("version", of: Bytes<3>.self) ?? Bytes<3>()
        radioState = try map.code("radio").map { RadioState(rawValue: $0) }
        radioFault = try map.code("fault")
        identityState = try map.code("identity").map { IdentityState(rawValue: $0) }
        isSealed = try map.code("sealed").map { $0 != 0 }
        takesPages = try map.code("writable").map { $0 != 0 }
        isSyncing = try map.code("client") == 1
        markerCount = try map.counter("markers")
        if let slot = try map.code("slot") {
            update = Update(slot: slot, isOnTrial: try map.code("trial") == 1)
        }
        if let state = try map.code("charge") {
            battery = Battery(
                percent: try map.code("battery").flatMap { $0 <= 100 ? $0 : nil }, state: state,
                isLow: try map.code("low").map { $0 != 0 } ?? false)
        }
        try forEachCounter { key, value throws(MalformedCBOR) in value = try map.counter(key) }
    }

    /// Calls `body` for each counter with its key.
    private mutating func forEachCounter<Failure>(
        _ body: (StaticString, inout UInt32) throws(Failure) -> Void
    ) throws(Failure) {
        try body("reports", &reportCount)
        try body("malformed", &malformedReportCount)
        try body("dropped", &droppedEntryCount)
        try body("evicted", &evictedPeerCount)
        try body("away", &turnedAwayCount)
        try body("refused", &refusedIdentityCount)
        try body("namesakes", &duplicateIdentityCount)
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
        try body("flash", &flashFailureCount)
    }
}

extension CBORMap {
    fileprivate func counter(_ key: StaticString) throws(MalformedCBOR) -> UInt32 {
        let value = try unsigned(key) ?? 0
        guard value <= 0xFFFF_FFFF else { throw MalformedCBOR() }
        return UInt32(truncatingIfNeeded: value)
    }

    /// Reads a number of one byte; nil if an older board does not send it.
    fileprivate func code(_ key: StaticString) throws(MalformedCBOR) -> UInt8? {
        guard let value = try unsigned(key) else { return nil }
        guard let code = UInt8(exactly: value) else { throw MalformedCBOR() }
        return code
    }
}
