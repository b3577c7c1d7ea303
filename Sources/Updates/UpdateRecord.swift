import FixedMemory

/// Which agent a board runs: that of its package, or one of two slots.
///
/// On the medium 89 bytes: "TUR1", slot, state, starts, earlier slot, version of the slot's update (3 bytes),
/// version of an update that has failed (3 bytes), whether one has, 5 bytes 0, the operator's public key
/// (65 bytes, X9.63), CRC-32C of these 85 bytes (little-endian).
public struct UpdateRecord: Equatable, BitwiseCopyable, Sendable {
    public enum Slot: UInt8, BitwiseCopyable, Sendable {
        /// The agent of the installed package.
        case package = 0
        case first = 1
        case second = 2
    }

    public enum State: UInt8, BitwiseCopyable, Sendable {
        /// The agent has run well for a while, or is the package's.
        case confirmed = 0
        /// The agent has not yet shown that it runs well.
        case trial = 1
    }

    public private(set) var slot = Slot.package
    public private(set) var state = State.confirmed
    /// How often the launcher has started an agent on trial.
    public private(set) var startCount: UInt8 = 0
    /// The slot to which the board goes back if the trial fails.
    public private(set) var earlierSlot = Slot.package
    public private(set) var version = Bytes<3>()
    /// The version of the newest update that has failed; nil if none has.
    public private(set) var failedVersion: Bytes<3>?
    /// The key that has signed the updates in the slots, in X9.63 form.
    public private(set) var operatorKey = Bytes<65>()

    /// An agent on trial is started so often at most.
    public static let startLimit: UInt8 = 3
    public static let byteCount = sumOffset + 4
    private static let keyOffset = 20
    private static let sumOffset = keyOffset + 65

    private static let magic: StaticString = "TUR1"

    /// The record of a board that has only its package.
    public init() {}

    /// The slot for the next update: one that is not in use.
    public var freeSlot: Slot {
        // While an agent is on trial, the slot that the board would go back to stays, too.
        if slot == .package { return earlierSlot == .first ? .second : .first }
        return slot == .first ? .second : .first
    }

    /// Puts the agent in a slot on trial. The present one stays the earlier one if it is confirmed.
    public mutating func begin(_ new: Slot, version: Bytes<3>, signedBy operatorKey: Bytes<65>) {
        if state == .confirmed { earlierSlot = slot }
        if earlierSlot == new { earlierSlot = .package }
        slot = new
        state = .trial
        startCount = 0
        self.version = version
        self.operatorKey = operatorKey
        failedVersion = nil
    }

    /// Notes that the launcher starts the agent on trial once more.
    /// - Returns: false if it has been started often enough.
    public mutating func countStart() -> Bool {
        guard state == .trial else { return true }
        guard startCount < Self.startLimit else { return false }
        startCount += 1
        return true
    }

    /// The agent on trial runs well.
    public mutating func confirm() {
        state = .confirmed
        startCount = 0
    }

    /// Goes back: from an agent on trial to the earlier one, and from any other to the package's.
    public mutating func fallBack() {
        failedVersion = version
        slot = state == .trial ? earlierSlot : .package
        earlierSlot = .package
        state = .confirmed
        startCount = 0
    }

    public var bytes: FixedBuffer<96> {
        var bytes = FixedBuffer<96>()
        do throws(CapacityError) {
            try bytes.append(Self.magic)
            try bytes.append(slot.rawValue)
            try bytes.append(state.rawValue)
            try bytes.append(startCount)
            try bytes.append(earlierSlot.rawValue)
            try bytes.append(version.span)
            try bytes.append((failedVersion ?? Bytes()).span)
            try bytes.append(failedVersion == nil ? 0 : 1)
            while bytes.count < Self.keyOffset { try bytes.append(0) }
            try bytes.append(operatorKey.span)
            try bytes.append(littleEndian: CRC32.checksum(of: bytes.span))
        } catch {
            preconditionFailure("the record fits")
        }
        return bytes
    }

    /// Reads a record; nil if the bytes are none.
    public init?(_ bytes: Span<UInt8>) {
        guard bytes.count == Self.byteCount, bytes.extracting(0..<4).isEqual(to: Self.magic),
            let slot = Slot(rawValue: bytes[4]), let state = State(rawValue: bytes[5]),
            let earlier = Slot(rawValue: bytes[7]), let version = Bytes<3>(bytes.extracting(8..<11)),
            let failed = Bytes<3>(bytes.extracting(11..<14)),
            let key = Bytes<65>(bytes.extracting(Self.keyOffset..<Self.sumOffset))
        else { return nil }
        var sum: UInt32 = 0
        for index in (Self.sumOffset..<Self.byteCount).reversed() { sum = sum << 8 | UInt32(bytes[index]) }
        guard sum == CRC32.checksum(of: bytes.extracting(0..<Self.sumOffset)) else { return nil }
        self.slot = slot
        self.state = state
        startCount = bytes[6]
        earlierSlot = earlier
        self.version = version
        failedVersion = bytes[14] == 0 ? nil : failed
        operatorKey = key
    }
}
