import FixedMemory
import GATT
import HCI

/// A connection in a capture, with both directions reassembled.
struct CapturedLink: BitwiseCopyable {
    let adapter: UInt16
    let handle: ConnectionHandle
    let peer: DeviceAddress
    let opened: Instant
    /// Our requests to the peer: its answers contain its identity.
    var asked = CapturedDialogue()
    /// The peer's requests to us: it may write its identity.
    var served = CapturedDialogue()
    private var fromPeer = L2CAPReassembler()
    private var toPeer = L2CAPReassembler()

    init(adapter: UInt16, handle: ConnectionHandle, peer: DeviceAddress, opened: Instant) {
        self.adapter = adapter
        self.handle = handle
        self.peer = peer
        self.opened = opened
    }

    /// Adds the data of one ACL packet.
    mutating func receive(_ data: Span<UInt8>, boundary: ACLBoundary, isFromPeer: Bool, now: Instant) {
        if isFromPeer {
            guard fromPeer.receive(data, boundary: boundary),
                fromPeer.channel == L2CAPChannel.attributeProtocol.rawValue
            else { return }
            Self.record(fromPeer.payload, requestsIn: &served, answersIn: &asked, now: now)
        } else {
            guard toPeer.receive(data, boundary: boundary),
                toPeer.channel == L2CAPChannel.attributeProtocol.rawValue
            else { return }
            Self.record(toPeer.payload, requestsIn: &asked, answersIn: &served, now: now)
        }
    }

    /// Marks a part of the traffic that was not captured.
    @inline(never)
    mutating func interrupt() {
        asked.interrupt()
        served.interrupt()
        fromPeer = L2CAPReassembler()
        toPeer = L2CAPReassembler()
    }

    private static func record(
        _ pdu: Span<UInt8>, requestsIn requests: inout CapturedDialogue,
        answersIn answers: inout CapturedDialogue, now: Instant
    ) {
        guard pdu.count > 0 else { return }
        if ATTOpcode(rawValue: pdu[0])?.isFromServer == true {
            answers.record(answer: pdu)
        } else {
            requests.record(request: pdu, now: now)
        }
    }
}
