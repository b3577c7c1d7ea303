import Cryptography
import FixedMemory

/// The board's side of the sync port: bytes in, bytes out; files and clock come from a ``SyncStore``.
///
/// It serves one request at a time, as its parameters tell the client. A new request cancels a running job.
/// An answer that does not fit the output replaces the undrained bytes: a client that sends a new request
/// no longer waits for the old answer.
public struct SyncServer: ~Copyable {
    public struct Counters: Equatable, Sendable {
        public var requests: UInt32 = 0
        /// Valid frames that hold no request.
        public var strayPackets: UInt32 = 0
        /// Answers discarded because the client did not read them.
        public var abandonedAnswers: UInt32 = 0

        public init() {}
    }

    public private(set) var counters = Counters()

    private var decoder = SerialFrameDecoder<2050>()
    private var responder: SyncResponder
    @usableFromInline var outgoing = FixedBuffer<4096>()
    @usableFromInline var drainedByteCount = 0

    /// `packetByteCount` is the maximum packet size in either direction, header included (64...2048).
    public init(packetByteCount: Int = SMPPacket.capacity) {
        responder = SyncResponder(packetByteCount: min(max(packetByteCount, 64), SMPPacket.capacity))
    }

    /// The bytes that wait to be sent.
    public var output: Span<UInt8> {
        @_transparent @_lifetime(borrow self) get {
            outgoing.span.extracting(drainedByteCount..<outgoing.count)
        }
    }

    /// Whether ``output`` has bytes. The agent asks in each step, so the answer must not copy the server.
    public var hasOutput: Bool { @_transparent get { drainedByteCount < outgoing.count } }

    /// Removes the first `byteCount` bytes of the output, because they were sent.
    public mutating func drain(_ byteCount: Int) {
        drainedByteCount = min(outgoing.count, drainedByteCount + max(0, byteCount))
        guard drainedByteCount == outgoing.count else { return }
        outgoing.removeAll()
        drainedByteCount = 0
    }

    /// Processes bytes from the line and answers the requests that they complete.
    public mutating func receive<Store: SyncStore & ~Copyable>(
        _ bytes: Span<UInt8>, store: inout Store, log: inout Store.Log
    ) {
        var position = 0
        while decoder.receive(bytes, position: &position) {
            switch responder.receive(decoder.frame, store: &store, log: &log) {
            case .noRequest: Self.increment(&counters.strayPackets)
            case .pending: Self.increment(&counters.requests)
            case .answer(let packet):
                Self.increment(&counters.requests)
                send(packet)
            }
        }
    }

    /// Whether ``step(store:log:)`` has work to do.
    public var hasWork: Bool { responder.hasWork }

    /// Does a bounded part of a request's work. This is at most one read of 2048 bytes, or one slice of a
    /// signature or of its verification with the signed command.
    public mutating func step<Store: SyncStore & ~Copyable>(store: inout Store, log: inout Store.Log) {
        if let packet = responder.step(store: &store, log: &log) { send(packet) }
    }

    /// Returns the request that the agent must answer, once; one of the `answer` methods sends its result.
    public mutating func nextRequest() -> AgentRequest? { responder.nextRequest() }

    public mutating func answer(_ result: Result<MessageReport, MessageError>) {
        if let packet = responder.answer(result) { send(packet) }
    }

    /// - Parameter nonce: A random value that was never used before.
    public mutating func answer(nonce: Bytes<16>, now: Instant) {
        if let packet = responder.answer(nonce: nonce, now: now) { send(packet) }
    }

    /// - Parameter keys: The board's current keys; nil if they could not be stored.
    public mutating func answer(keys: BoardPublicKeys?) {
        if let packet = responder.answer(keys: keys) { send(packet) }
    }

    /// - Parameter scalar: The board's private scalar, which signs in steps.
    public mutating func answer(manifest statement: LogStatement, scalar: Bytes<32>) {
        if let packet = responder.answer(manifest: statement, scalar: scalar) { send(packet) }
    }

    /// - Parameter segments: The number of segments that were erased, or that an acknowledgement covers
    ///   completely.
    public mutating func answer(segments: Result<UInt32, SMPRefusal>) {
        if let packet = responder.answer(segments: segments) { send(packet) }
    }

    /// The staged data of ``AgentRequest/configure`` and ``AgentRequest/storeSecrets``.
    public var staged: FixedBuffer<2048> { responder.staged }

    /// - Parameter reason: The reason for a refusal, in UTF-8; empty if the configuration is accepted.
    public mutating func answer(configurationRefusal reason: Span<UInt8>) {
        if let packet = responder.answer(.configurationRefused, reason: reason) { send(packet) }
    }

    /// - Parameter scalar: The board's private scalar, with which the server opens the secrets in steps.
    public mutating func openSecrets(scalar: Bytes<32>) {
        do throws(CryptographyError) {
            try responder.secrets.start(responder.staged.span, scalar: scalar)
        } catch {
            let packet = responder.answerRequest { _ throws(SMPRefusal) in throw .secretsRefused }
            if let packet { send(packet) }
        }
    }

    /// - Parameter reason: The reason for a refusal, in UTF-8; empty if the secrets are accepted.
    public mutating func answer(secretsRefusal reason: Span<UInt8>) {
        if let packet = responder.answer(.secretsRefused, reason: reason) { send(packet) }
    }

    /// - Parameters:
    ///   - record: The record of the scheme's secrets, which the server seals for the owner in steps; empty
    ///     unless the state is `.sealed`.
    ///   - boardScalar: The board's private scalar, which signs the answer.
    public mutating func backUp(
        _ record: Span<UInt8>, _ contents: BackupContents, for ownerKey: P256PublicKey?,
        boardScalar: Bytes<32>, entropy: Entropy
    ) {
        let packet = responder.startBackup(
            record, contents, for: ownerKey, boardScalar: boardScalar, entropy: entropy)
        if let packet { send(packet) }
    }

    /// - Parameters:
    ///   - offset: Where the next piece of the update file belongs.
    ///   - restarts: Whether the file is complete, and the agent ends for it.
    public mutating func answer(updateOffset offset: UInt32, restarts: Bool) {
        if let packet = responder.answer(updateOffset: offset, restarts: restarts) { send(packet) }
    }

    /// - Parameter reason: The reason for a refusal, in UTF-8.
    public mutating func answer(updateRefusal reason: Span<UInt8>) {
        if let packet = responder.answer(.updateRefused, reason: reason) { send(packet) }
    }

    /// Makes the nonce void, because the client that got it is gone.
    public mutating func forgetNonce() { responder.envelope.forgetNonce() }

    /// Discards the whole session, because the client has disconnected or another one has come.
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
            // This line feed ends a line of which a part may already have been sent.
            do { try outgoing.append(0x0A as UInt8) } catch { return }
        }
        // The packet fits: 2048 bytes take 2805 bytes on the line.
        do { try SerialFrameEncoder.encode(packet.span, into: &outgoing) } catch { return }
    }

    private static func increment(_ counter: inout UInt32) { counter = counter == .max ? .max : counter + 1 }

    // Destroyed in one place, because inlined copies enlarge the board's image.
    @inline(never)
    deinit {}
}
