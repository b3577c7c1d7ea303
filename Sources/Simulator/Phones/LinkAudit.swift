import FixedMemory
import GATT

/// Checks a board's messages on one link, like a strict phone. The board must send only what was requested
/// or subscribed to, and nothing intended for another peer.
///
/// Fault model. Phones time out, vanish, fall silent and support only short packets. Even so, the board's
/// messages must be right. A phone disconnects from a peer that breaks the protocol, and avoids it from then
/// on.
struct LinkAudit {
    private var violations: [String] = []
    private var reassembler = L2CAPReassembler()
    private var droppedCount: UInt32 = 0
    /// The phone's request that the board has not answered.
    private var ourRequest: UInt8?
    /// The board's request that the phone has not answered.
    private var theirRequest: UInt8?
    private var mtu = 23
    private let readableHandles: [UInt16]
    private let writableHandles: [UInt16]
    private let ourMTU: Int
    /// Whether the phone has subscribed to notifications.
    var takesNotifications = false

    /// - Parameters:
    ///   - deviceHandles: The handles of other values that may be read.
    ///   - writableHandles: Nil for the handles of Herald's signals, each two after a payload's.
    ///   - mtu: The maximum MTU of the phone.
    init(
        payloadHandles: [UInt16], deviceHandles: [UInt16] = [], writableHandles: [UInt16]? = nil, mtu: Int
    ) {
        readableHandles = payloadHandles + deviceHandles
        self.writableHandles = writableHandles ?? payloadHandles.map { $0 + 2 }
        ourMTU = mtu
    }

    /// Returns the violations since the last call.
    mutating func takeViolations() -> [String] {
        defer { violations = [] }
        return violations
    }

    private mutating func record(_ text: String) { violations.append(text) }

    // MARK: From the board

    mutating func received(_ fragment: LinkFragment) {
        if fragment.bytes.count > 27 { record("a data packet of \(fragment.bytes.count) bytes") }
        let boundary: ACLBoundary = fragment.isFirst ? .firstFlushable : .continuation
        let isComplete = reassembler.receive(fragment.bytes.span, boundary: boundary)
        if reassembler.droppedCount != droppedCount {
            droppedCount = reassembler.droppedCount
            record("fragments that make no PDU")
        }
        guard isComplete else { return }
        let payload = [UInt8](reassembler.payload)
        guard reassembler.channel == L2CAPChannel.attributeProtocol.rawValue else {
            return record("a PDU on channel \(reassembler.channel), where nobody asked anything")
        }
        guard let first = payload.first, let opcode = ATTOpcode(rawValue: first) else {
            return record("an ATT PDU that is none")
        }
        if payload.count > mtu { record("a PDU of \(payload.count) bytes with an MTU of \(mtu)") }
        if opcode.isFromServer { answered(opcode, payload) } else { asked(opcode, payload) }
    }

    private mutating func answered(_ opcode: ATTOpcode, _ payload: [UInt8]) {
        if opcode == .handleValueNotification, takesNotifications { return }
        let isAnswer =
            opcode == .errorResponse
            ? payload.count == 5 && payload[1] == ourRequest
            : opcode.rawValue == ourRequest.map { $0 + 1 }
        guard isAnswer else { return record("answer \(opcode) to request \(ourRequest ?? 0)") }
        ourRequest = nil
        if opcode == .exchangeMTUResponse, payload.count == 3 { applyMTU(payload) }
    }

    private mutating func asked(_ opcode: ATTOpcode, _ payload: [UInt8]) {
        if theirRequest != nil { record("request \(opcode) before the answer to the one before") }
        theirRequest = payload[0]
        switch opcode {
        case .readRequest, .readBlobRequest:
            let handle = payload.count >= 3 ? UInt16(payload[1]) | UInt16(payload[2]) << 8 : 0
            if !readableHandles.contains(handle) {
                record("read of handle \(handle), which is not the payload's")
            }
        case .writeRequest, .prepareWriteRequest:
            let handle = payload.count >= 3 ? UInt16(payload[1]) | UInt16(payload[2]) << 8 : 0
            if !writableHandles.contains(handle) {
                record("write to handle \(handle), which takes none")
            }
        case .executeWriteRequest: break
        case .exchangeMTURequest where payload.count == 3: applyMTU(payload)
        case .findByTypeValueRequest, .readByTypeRequest, .exchangeMTURequest: break
        default: record("request \(opcode), which boards do not make")
        }
    }

    private mutating func applyMTU(_ payload: [UInt8]) {
        mtu = max(mtu, min(Int(payload[1]) | Int(payload[2]) << 8, ourMTU))
    }

    // MARK: To the board

    mutating func sent(_ fragment: LinkFragment) {
        guard fragment.isFirst, fragment.bytes.count > 4, fragment.bytes[2] == 4,
            let opcode = ATTOpcode(rawValue: fragment.bytes[4])
        else { return }
        if opcode.isFromServer { theirRequest = nil } else { ourRequest = opcode.rawValue }
    }
}
