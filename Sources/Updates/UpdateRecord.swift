import FixedMemory

/// Which agent a board runs: that of its package, or one of two slots.
///
/// On the medium 156 bytes: "TUR1", slot, state, starts, earlier slot, version of the newest update that has
/// failed (3 bytes), whether one has, 4 bytes 0, then for each of the two slots the version of its update (3
/// bytes) and the operator's public key that has signed it (65 bytes, X9.63), at last the CRC-32C of these
/// 152 bytes (little-endian).
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
    private var firstUpdate = Content()
    private var secondUpdate = Content()
    /// The version of the newest update that has failed; nil if none has.
    public private(set) var failedVersion: Bytes<3>?

    /// The update in a slot.
    private struct Content: Equatable, BitwiseCopyable {
        var version = Bytes<3>()
        /// The key that has signed it, in X9.63 form. An operator who has another key since may not have
        /// signed the update in the other slot.
        var operatorKey = Bytes<65>()
    }

    /// An agent on trial is started so often at most.
    public static let startLimit: UInt8 = 3
    public static let byteCount = sumOffset + 4
    private static let contentOffset = 16
    private static let contentByteCount = 3 + 65
    private static let sumOffset = contentOffset + 2 * contentByteCount

    private static let magic: StaticString = "TUR1"

    /// The record of a board that has only its package.
    public init() {}

    private var content: Content { slot == .second ? secondUpdate : firstUpdate }
    /// The version of the update in the present slot.
    public var version: Bytes<3> { content.version }
    /// The key that has signed it.
    public var operatorKey: Bytes<65> { content.operatorKey }

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
        let content = Content(version: version, operatorKey: operatorKey)
        if new == .second { secondUpdate = content } else { firstUpdate = content }
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

    public var bytes: FixedBuffer<160> {
        var bytes = FixedBuffer<160>()
        do throws(CapacityError) {
            try bytes.append(Self.magic)
            try bytes.append(slot.rawValue)
            try bytes.append(state.rawValue)
            try bytes.append(startCount)
            try bytes.append(earlierSlot.rawValue)
            try bytes.append((failedVersion ?? Bytes()).span)
            try bytes.append(failedVersion == nil ? 0 : 1)
            while bytes.count < Self.contentOffset { try bytes.append(0) }
            try bytes.append(firstUpdate.version.span)
            try bytes.append(firstUpdate.operatorKey.span)
            try bytes.append(secondUpdate.version.span)
            try bytes.append(secondUpdate.operatorKey.span)
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
            let earlier = Slot(rawValue: bytes[7]), let failed = Bytes<3>(bytes.extracting(8..<11)),
            let first = Self.content(in: bytes, at: Self.contentOffset),
            let second = Self.content(in: bytes, at: Self.contentOffset + Self.contentByteCount)
        else { return nil }
        guard bytes.loadUInt32(at: Self.sumOffset) == CRC32.checksum(of: bytes.extracting(0..<Self.sumOffset))
        else { return nil }
        self.slot = slot
        self.state = state
        startCount = bytes[6]
        earlierSlot = earlier
        failedVersion = bytes[11] == 0 ? nil : failed
        firstUpdate = first
        secondUpdate = second
    }

    private static func content(in bytes: Span<UInt8>, at offset: Int) -> Content? {
        guard let version = Bytes<3>(bytes.extracting(offset..<offset + 3)),
            let key = Bytes<65>(bytes.extracting(offset + 3..<offset + contentByteCount))
        else { return nil }
        return Content(version: version, operatorKey: key)
    }
}
