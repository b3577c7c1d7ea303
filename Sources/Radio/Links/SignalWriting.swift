import FixedMemory
import GATT
import Peers
import Protocols

/// Writing to the peer's Herald signal characteristic, in pieces that fit the peer.
struct SignalWriting: BitwiseCopyable {
    /// The handle of the signal characteristic; 0 if the peer has none.
    private(set) var handle: UInt16 = 0
    private var characteristic = HeraldSignalCharacteristic.compliant
    private var writer = HeraldSignalWriter()
    /// The peer would take the next message as the rest of the last one: Android phones forget only
    /// payloads, and everything else when the link ends.
    private var isSpent = false

    var canWrite: Bool { handle != 0 && !isSpent }
    var exists: Bool { handle != 0 }
    var piece: Span<UInt8> { @_lifetime(borrow self) get { writer.piece } }

    /// Chooses the signal characteristic among those found. One that takes no writes with response does not
    /// count (HP-C40).
    mutating func open(_ findings: CharacteristicFindings) -> SignalCharacteristic {
        if let compliant = findings.other(0), compliant.properties.contains(.write) {
            characteristic = .compliant
            handle = compliant.valueHandle
            return .compliant
        }
        if let other = findings.other(1), other.properties.contains(.write) {
            characteristic = .nonCompliant
            handle = other.valueHandle
            return .nonCompliant
        }
        return .absent
    }

    mutating func close() { handle = 0 }

    /// - Throws: if the message is too long for the characteristic.
    mutating func begin(_ message: HeraldSignalMessage) throws(CapacityError) {
        try writer.begin(message, to: characteristic)
    }

    /// Begins an empty write, which wakes an iPhone's app.
    mutating func beginWake() { writer.beginWake() }

    /// Moves on to the next piece, after the peer has acknowledged the last.
    /// - Returns: whether there is one.
    mutating func nextPiece() -> Bool {
        writer.pieceWritten()
        return !writer.isDone
    }

    /// Records the end of a message: whole, or given up in the middle.
    mutating func didWrite(_ code: HeraldSignalCode, isWhole: Bool) {
        isSpent = characteristic == .compliant && (code != .payload || !isWhole)
    }
}
