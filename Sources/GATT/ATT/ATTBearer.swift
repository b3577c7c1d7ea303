import FixedMemory

/// The Attribute Protocol on one link, in both directions together. The local server answers the peer's
/// requests even while the local client waits for an answer.
public struct ATTBearer: BitwiseCopyable {
    public private(set) var mtu = NegotiatedMTU()
    public var client = AttributeClient()
    private var server = AttributeServer()

    public init() {}

    /// Processes one PDU. It replaces `answer` with the PDU to send back, or leaves it empty if nothing must
    /// be sent. Afterwards the client may have a request to send.
    /// - Returns: The end of the client's procedure, if this PDU ended it.
    public mutating func receive<Delegate: AttributeDelegate & ~Copyable, let capacity: Int>(
        _ pdu: Span<UInt8>, link: Int, table: borrowing AttributeTable<capacity>,
        delegate: inout Delegate, answer: inout ATTBuffer
    ) -> AttributeClientEvent? {
        answer.removeAll()
        guard pdu.count > 0 else { return nil }
        let opcode = ATTOpcode(rawValue: pdu[0])
        guard opcode?.isFromServer == true else {
            server.receive(
                pdu, link: link, mtu: &mtu, table: table, delegate: &delegate, answer: &answer)
            return nil
        }
        if opcode == .handleValueIndication {
            // The agent does not use indications, but the peer waits for the confirmation.
            do throws(CapacityError) { try ATTRequest.confirmation.append(to: &answer) } catch {}
            return nil
        }
        return client.receive(pdu, mtu: &mtu)
    }

    /// Replaces `request` with the client's next request.
    /// - Returns: False, with `request` empty, if there is none.
    public mutating func nextRequest(into request: inout ATTBuffer) -> Bool {
        client.nextRequest(mtu: mtu, into: &request)
    }
}
