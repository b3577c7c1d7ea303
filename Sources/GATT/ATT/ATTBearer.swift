import FixedMemory

/// The Attribute Protocol on one link, both ways at once: our server answers the peer's requests whatever our
/// client waits for.
public struct ATTBearer: BitwiseCopyable {
    public private(set) var mtu = NegotiatedMTU()
    public var client = AttributeClient()
    private var server = AttributeServer()

    public init() {}

    /// Takes one PDU. `answer` is replaced by what must go back, and left empty when nothing must. After this,
    /// the client may have a request to send.
    /// - Returns: how our client's procedure ended, if it did.
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
            // Nobody here listens to indications, but a peer waits for the confirmation.
            do throws(CapacityError) { try ATTRequest.confirmation.append(to: &answer) } catch {}
            return nil
        }
        return client.receive(pdu, mtu: &mtu)
    }

    /// Replaces `request` by our client's next request.
    /// - Returns: false, and `request` is empty, when there is none.
    public mutating func nextRequest(into request: inout ATTBuffer) -> Bool {
        client.nextRequest(mtu: mtu, into: &request)
    }
}
