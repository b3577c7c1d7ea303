import FixedMemory

/// Everything above HCI for one LE link: ACL fragments in, ACL fragments out, with server and client between
/// them. It takes about 4 KiB; the agent keeps one per link in a `FixedArray`.
public struct GATTLink: BitwiseCopyable {
    /// The result of processing a fragment.
    public struct Outcome: BitwiseCopyable, Equatable, Sendable {
        /// The end of the client's procedure, if this fragment ended it.
        public internal(set) var clientEvent: AttributeClientEvent?
        /// The timing that the link, as central, has accepted: send LE Connection Update.
        public internal(set) var connectionParameters: ConnectionParameters?

        public init() {}
    }

    public let role: LinkRole
    /// The number of dropped PDUs: those not reassembled or for an unknown channel. Requests from a peer that
    /// does not wait for the answers to earlier ones count too.
    public var droppedCount: UInt32 { reassembler.droppedCount &+ refusedCount }

    private var reassembler = L2CAPReassembler()
    public private(set) var bearer = ATTBearer()
    /// The queue holds a full-length response, a full-length request, and some answers of the small channels.
    private var sendQueue = L2CAPSendQueue<1200>()
    private var refusedCount: UInt32 = 0

    public init(role: LinkRole) { self.role = role }

    public var mtu: NegotiatedMTU { bearer.mtu }

    /// Whether ``nextFragment(maximumByteCount:into:)`` has something to send.
    public var hasFragment: Bool { !sendQueue.isEmpty || bearer.client.hasRequest }

    /// Processes the data of one ACL packet. `link` is passed on to the delegate.
    public mutating func receive<Delegate: AttributeDelegate & ~Copyable, let capacity: Int>(
        _ fragment: Span<UInt8>, boundary: ACLBoundary, link: Int,
        table: borrowing AttributeTable<capacity>, delegate: inout Delegate
    ) -> Outcome {
        var outcome = Outcome()
        guard reassembler.receive(fragment, boundary: boundary) else { return outcome }
        switch L2CAPChannel(rawValue: reassembler.channel) {
        case .attributeProtocol:
            // A request is served only if its answer can be queued. The queue has space for one answer, and a
            // peer must not send another request before it has received that answer.
            guard isForClient(reassembler.payload) || sendQueue.hasRoom(forPayload: mtu.byteCount) else {
                break
            }
            var answer = ATTBuffer()
            outcome.clientEvent = bearer.receive(
                reassembler.payload, link: link, table: table, delegate: &delegate, answer: &answer)
            send(answer.span, .attributeProtocol)
            return outcome
        case .signalling:
            var answer = L2CAPSignalling.Answer()
            outcome.connectionParameters = L2CAPSignalling.receive(
                reassembler.payload, role: role, answer: &answer)
            send(answer.span, .signalling)
            return outcome
        case .securityManager:
            if let answer = PairingRefusal.answer(to: reassembler.payload) {
                send(answer.span, .securityManager)
            }
            return outcome
        case nil: break
        }
        refusedCount &+= 1
        return outcome
    }

    /// Appends the data of the next ACL packet to `sink`: at most `maximumByteCount` bytes, the controller's
    /// LE ACL data length.
    /// - Returns: The boundary flag of the packet; nil, with nothing appended, if there is nothing to send.
    public mutating func nextFragment<Sink: ByteSink & ~Copyable>(
        maximumByteCount: Int, into sink: inout Sink
    ) -> ACLBoundary? {
        if bearer.client.hasRequest, sendQueue.hasRoom(forPayload: mtu.byteCount) {
            var request = ATTBuffer()
            if bearer.nextRequest(into: &request) { send(request.span, .attributeProtocol) }
        }
        return sendQueue.nextFragment(maximumByteCount: maximumByteCount, into: &sink)
    }

    private func isForClient(_ pdu: Span<UInt8>) -> Bool {
        pdu.count > 0 && ATTOpcode(rawValue: pdu[0])?.isFromServer == true
    }

    private mutating func send(_ payload: Span<UInt8>, _ channel: L2CAPChannel) {
        guard payload.count > 0 else { return }
        do throws(CapacityError) {
            try sendQueue.append(payload, channel: channel)
        } catch {
            refusedCount &+= 1
        }
    }
}

/// The local server on this link.
extension GATTLink {
    /// Sends a notification with the value, or with as much of its beginning as fits the MTU.
    /// - Returns: False, with nothing sent, while the queue is not empty, because an answer must always find
    ///   space.
    @discardableResult
    public mutating func notify(_ value: Span<UInt8>, handle: UInt16) -> Bool {
        guard sendQueue.isEmpty else { return false }
        var pdu = BoundedAnswer(mtu: mtu.byteCount)
        pdu.begin(.handleValueNotification)
        pdu.append(handle)
        pdu.append(prefixOf: value)
        send(pdu.buffer.span, .attributeProtocol)
        return true
    }
}

/// The local client on this link: see ``AttributeClient``.
extension GATTLink {
    /// Whether a procedure is running.
    public var isBusy: Bool { bearer.client.isBusy }

    /// Whether the peer still has to answer a request. Drop the link after 30 s.
    public var isWaiting: Bool { bearer.client.isWaiting }

    public mutating func start(_ search: CharacteristicSearch) { bearer.client.start(search) }

    public mutating func startReading(handle: UInt16) { bearer.client.startReading(handle: handle) }

    /// See ``AttributeClient/startNextInstance(of:after:)``.
    public mutating func startNextInstance(
        of characteristic: BluetoothUUID, after failure: AttributeClientFailure
    ) -> Bool {
        bearer.client.startNextInstance(of: characteristic, after: failure)
    }

    public mutating func startWriting(_ value: Span<UInt8>, handle: UInt16) throws(CapacityError) {
        try bearer.client.startWriting(value, handle: handle)
    }

    /// See ``AttributeClient/isInterruptible``.
    public var isInterruptible: Bool { bearer.client.isInterruptible }

    /// See ``AttributeClient/awaitsMTU``.
    public var awaitsMTU: Bool { bearer.client.awaitsMTU }

    /// Interrupts a search or a read between two requests, so that another procedure can run.
    /// - Returns: The state for ``resume(_:)``; nil, with nothing changed, if no procedure can be
    ///   interrupted.
    public mutating func interrupt() -> AttributeClient? {
        guard bearer.client.isInterruptible else { return nil }
        defer { bearer.client = AttributeClient() }
        return bearer.client
    }

    public mutating func resume(_ client: AttributeClient) { bearer.client = client }

    public var findings: CharacteristicFindings { bearer.client.findings }

    /// The value that was read, up to 512 bytes.
    public var value: Span<UInt8> {
        @_transparent @_lifetime(borrow self) get { bearer.client.value.span }
    }
}
