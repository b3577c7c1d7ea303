import DeviceSync
import EncounterLog
import FixedMemory
import Updates

/// The serial port, the sync server that a client reaches through it, and the answers that take more than
/// one step.
struct SyncPort<P: Platform>: ~Copyable {
    private var serial: P.Serial
    /// What the client sent last.
    private var input = FixedBuffer<512>()
    var server = SyncServer()
    /// The board as the client sees it.
    var view: SyncView<P.Flash, P.Clock>
    private var lastInput: Instant?
    /// The hang-ups of the line that have been noticed.
    private var hangUpCount: UInt32 = 0
    /// New keys are stored. The client gets its answer when the log is encrypted for them.
    var isKeyAnswerDue = false
    /// The erasure that a client has requested, until it is complete.
    private var erasure: Erasure?
    /// The update that a client is sending.
    var update = UpdateReception()

    /// A client that sends nothing for this long has ended its session.
    private static var sessionPause: Interval { .seconds(5) }

    init(_ serial: consuming P.Serial, view: consuming SyncView<P.Flash, P.Clock>) {
        self.serial = serial
        self.view = view
    }

    // The agent asks these questions in every step. `mutating` keeps the board's optimiser from copying
    // the whole port to answer them.

    /// Whether the client has sent something.
    var hasInput: Bool { mutating get { serial.isOpen && serial.hasInput } }

    /// Whether an answer needs more steps.
    var hasWork: Bool { mutating get { server.hasWork || erasure != nil } }

    /// Whether an answer waits for the line, or for a change of the log.
    var hasAnswer: Bool { mutating get { serial.isOpen && (server.hasOutput || isKeyAnswerDue) } }

    /// Whether a client has sent something in the last seconds.
    func hasClient(now: Instant) -> Bool { lastInput.map { now < $0 + Self.sessionPause } ?? false }

    /// Reads what the client sent.
    /// - Returns: false if there is nothing.
    mutating func readInput() -> Bool {
        input.removeAll()
        serial.read(into: &input)
        if serial.hangUpCount != hangUpCount {
            hangUpCount = serial.hangUpCount
            server.reset()
        }
        return !input.isEmpty
    }

    /// Answers the requests that ``readInput()`` read. ``SyncServer/nextRequest()`` then has the one that
    /// only the agent can answer.
    mutating func serveInput(writer: inout LogWriter<P.Flash>, now: Instant) {
        if !hasClient(now: now) {
            server.forgetNonce()
            // A client may fetch the log without reading the index first. It must find every entry, too.
            writer.commitForClient(now: now)
        }
        lastInput = now
        server.receive(input.span, store: &view, log: &writer)
    }

    /// Does a slice of an answer.
    mutating func step(writer: inout LogWriter<P.Flash>) { server.step(store: &view, log: &writer) }

    /// Answers the client that set new keys, once the log is encrypted for them.
    /// - Returns: whether that happened now.
    mutating func answerKeys(writer: inout LogWriter<P.Flash>) -> Bool {
        guard isKeyAnswerDue, !writer.log.hasWork else { return false }
        isKeyAnswerDue = false
        server.answer(keys: view.publicKeys)
        return true
    }

    mutating func begin(_ request: ErasureRequest) { erasure = Erasure(request) }

    /// Erases a segment, if a client has requested that.
    mutating func advanceErasure(writer: inout LogWriter<P.Flash>, now: Instant) {
        guard var current = erasure else { return }
        erasure = nil
        if let result = current.advance(&writer, now: now) {
            server.answer(segments: result)
        } else {
            erasure = current
        }
    }

    /// Writes answers as far as the line takes them.
    mutating func sendAnswers() {
        while !server.output.isEmpty {
            let count = serial.write(server.output)
            if count == 0 { break }
            server.drain(count)
        }
    }

    // Destroyed in one place, because inlined copies enlarge the board's image.
    @inline(never)
    deinit {}
}
