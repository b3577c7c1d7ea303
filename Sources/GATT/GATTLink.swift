import FixedMemory

/// All that one LE link needs above HCI: ACL fragments in, ACL fragments out, server and client between.
/// About 4 KiB; meant to stand in a `FixedArray`, one per link.
public struct GATTLink: BitwiseCopyable {
    /// What a fragment led to.
    public struct Outcome: BitwiseCopyable, Equatable, Sendable {
        /// Our client's procedure has ended.
        public internal(set) var clientEvent: AttributeClientEvent?
        /// As central we have agreed to this timing: issue LE Connection Update.
        public internal(set) var connectionParameters: ConnectionParameters?

        public init() {}
    }

    public let role: LinkRole
    /// PDUs that were not put together or belong to no channel, and requests of a peer that does not wait for
    /// our answers.
    public var droppedCount: UInt32 { reassembler.droppedCount &+ refusedCount }

    private var reassembler = L2CAPReassembler()
    public private(set) var bearer = ATTBearer()
    /// A response and a request of full length, and some answers of the small channels.
    private var sendQueue = L2CAPSendQueue<1200>()
    private var refusedCount: UInt32 = 0

    public init(role: LinkRole) { self.role = role }

    public var mtu: NegotiatedMTU { bearer.mtu }

    /// Whether ``nextFragment(maximumByteCount:into:)`` has something to send.
    public var hasFragment: Bool { !sendQueue.isEmpty || bearer.client.hasRequest }

    /// Takes the data of one ACL packet. `link` is passed on to the delegate.
    public mutating func receive<Delegate: AttributeDelegate & ~Copyable, let capacity: Int>(
        _ fragment: Span<UInt8>, boundary: ACLBoundary, link: Int,
        table: borrowing AttributeTable<capacity>, delegate: inout Delegate
    ) -> Outcome {
        var outcome = Outcome()
        guard reassembler.receive(fragment, boundary: boundary) else { return outcome }
        switch L2CAPChannel(rawValue: reassembler.channel) {
        case .attributeProtocol:
            // A request is served only if its answer can be sent. There is room for one, and a peer that has not
            // had it yet must not send another.
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

    /// Appends the data of the next ACL packet to `sink`, at most `maximumByteCount` bytes: the controller's
    /// LE ACL data length.
    /// - Returns: the boundary flag to send it with; nil, and nothing appended, when there is nothing to send.
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

/// Our server on this link.
extension GATTLink {
    /// Tells the peer a value, or as much of its beginning as the MTU has room for, without being asked.
    /// - Returns: false, and nothing is sent, while other things wait to be: an answer must never find no room.
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

/// Our client on this link: see ``AttributeClient``.
extension GATTLink {
    /// Whether a procedure is under way.
    public var isBusy: Bool { bearer.client.isBusy }

    /// Whether the peer owes us an answer: give it 30 s, then drop the link.
    public var isWaiting: Bool { bearer.client.isWaiting }

    public mutating func start(_ search: CharacteristicSearch) { bearer.client.start(search) }

    public mutating func startReading(handle: UInt16) { bearer.client.startReading(handle: handle) }

    public mutating func startWriting(_ value: Span<UInt8>, handle: UInt16) throws(CapacityError) {
        try bearer.client.startWriting(value, handle: handle)
    }

    /// See ``AttributeClient/isInterruptible``.
    public var isInterruptible: Bool { bearer.client.isInterruptible }

    /// See ``AttributeClient/awaitsMTU``.
    public var awaitsMTU: Bool { bearer.client.awaitsMTU }

    /// Interrupts looking for something or reading it, so that something else can be done: between two requests, never
    /// during one.
    /// - Returns: what ``resume(_:)`` goes on with; nil, and nothing is changed, where there is nothing to interrupt.
    public mutating func interrupt() -> AttributeClient? {
        guard bearer.client.isInterruptible else { return nil }
        defer { bearer.client = AttributeClient() }
        return bearer.client
    }

    public mutating func resume(_ client: AttributeClient) { bearer.client = client }

    public var findings: CharacteristicFindings { bearer.client.findings }

    /// The value read, up to 512 bytes.
    public var value: Span<UInt8> {
        @_transparent @_lifetime(borrow self) get { bearer.client.value.span }
    }
}
