import FixedMemory

/// The board's side of the sync port: bytes in, bytes out, files and clock from a ``SyncStore``.
///
/// It serves one request at a time, as its parameters tell the client. A request that comes while a hash is
/// being made takes its place; an answer that finds no room in the output replaces what was not yet drained,
/// because who asks again has given up waiting.
public struct SyncServer: ~Copyable {
    public struct Counters: Equatable, Sendable {
        public var requests: UInt32 = 0
        /// Sound frames that hold no request.
        public var strayPackets: UInt32 = 0
        /// Answers thrown away because nobody drained them.
        public var abandonedAnswers: UInt32 = 0

        public init() {}
    }

    public private(set) var counters = Counters()

    private var decoder = SerialFrameDecoder<2050>()
    private var responder: SyncResponder
    @usableFromInline var outgoing = FixedBuffer<4096>()
    @usableFromInline var drainedByteCount = 0

    /// `packetByteCount`: the longest packet, header included, in either direction (64...2048).
    public init(packetByteCount: Int = SMPPacket.capacity) {
        responder = SyncResponder(packetByteCount: min(max(packetByteCount, 64), SMPPacket.capacity))
    }

    /// What waits to be sent.
    public var output: Span<UInt8> {
        @_transparent @_lifetime(borrow self) get {
            outgoing.span.extracting(drainedByteCount..<outgoing.count)
        }
    }

    /// The first `byteCount` bytes of the output were sent.
    public mutating func drain(_ byteCount: Int) {
        drainedByteCount = min(outgoing.count, drainedByteCount + max(0, byteCount))
        guard drainedByteCount == outgoing.count else { return }
        outgoing.removeAll()
        drainedByteCount = 0
    }

    /// Takes bytes from the line and answers the requests that they complete.
    public mutating func receive<Store: SyncStore & ~Copyable>(_ bytes: Span<UInt8>, store: inout Store) {
        var position = 0
        while decoder.receive(bytes, position: &position) {
            switch responder.receive(decoder.frame, store: &store) {
            case .noRequest: Self.increment(&counters.strayPackets)
            case .pending: Self.increment(&counters.requests)
            case .answer(let packet):
                Self.increment(&counters.requests)
                send(packet)
            }
        }
    }

    /// Whether ``step(store:)`` has something to do.
    public var hasWork: Bool { responder.hasWork }

    /// Does a bounded piece of the work that a request left: at most one read of 2048 bytes, or a slice of a
    /// signature's verification and the command that was signed.
    public mutating func step<Store: SyncStore & ~Copyable>(store: inout Store) {
        if let packet = responder.step(store: &store) { send(packet) }
    }

    /// What the last request asks of the agent, once; ``answer(_:)`` sends what it says.
    public mutating func takeQuestion() -> SyncQuestion? { responder.takeQuestion() }

    public mutating func answer(_ result: Result<MessageReport, MessageError>) {
        if let packet = responder.answer(result) { send(packet) }
    }

    /// - Parameter nonce: Random, and never given before.
    public mutating func answer(nonce: Bytes<16>) {
        if let packet = responder.answer(nonce: nonce) { send(packet) }
    }

    /// - Parameter keys: As they are now; nil when they could not be stored.
    public mutating func answer(keys: BoardPublicKeys?) {
        if let packet = responder.answer(keys: keys) { send(packet) }
    }

    /// - Parameter scalar: the board's private number, which signs in steps.
    public mutating func answer(manifest statement: LogStatement, scalar: Bytes<32>) {
        if let packet = responder.answer(manifest: statement, scalar: scalar) { send(packet) }
    }

    /// - Parameter segments: how many were erased, or an acknowledgement covers whole.
    public mutating func answer(segments: Result<UInt32, SMPRefusal>) {
        if let packet = responder.answer(segments: segments) { send(packet) }
    }

    /// What ``SyncQuestion/configure`` and ``SyncQuestion/storeSecrets`` hand over.
    public var handedOver: FixedBuffer<2048> { responder.handedOver }

    /// - Parameter reason: why what was to be set is refused, in UTF-8; empty if it is not.
    public mutating func answer(configurationRefusal reason: Span<UInt8>) {
        if let packet = responder.answer(.configurationRefused, reason: reason) { send(packet) }
    }

    /// - Parameter reason: why the secrets are refused, in UTF-8; empty if they are not.
    public mutating func answer(secretsRefusal reason: Span<UInt8>) {
        if let packet = responder.answer(.secretsRefused, reason: reason) { send(packet) }
    }

    /// Forgets everything of the session: the client hung up.
    public mutating func reset() {
        decoder.reset()
        responder.forgetClient()
        outgoing.removeAll()
        drainedByteCount = 0
    }

    private mutating func send(_ packet: SMPPacket) {
        if SerialFrameEncoder.encodedByteCount(frameByteCount: packet.span.count) > outgoing.freeCount {
            Self.increment(&counters.abandonedAnswers)
            outgoing.removeAll()
            drainedByteCount = 0
            // Ends a line of which a part may be out already.
            do { try outgoing.append(0x0A as UInt8) } catch { return }
        }
        // Fits: 2048 bytes take 2805 on the line.
        do { try SerialFrameEncoder.encode(packet.span, into: &outgoing) } catch { return }
    }

    private static func increment(_ counter: inout UInt32) { counter = counter == .max ? .max : counter + 1 }

    // Ended in one place, not wherever one is given up: for the image's size.
    @inline(never)
    deinit {}
}
