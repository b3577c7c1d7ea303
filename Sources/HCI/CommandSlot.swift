import FixedMemory

/// Tracks the one command in flight and the controller's command credits. It keeps what the answer must
/// match, so that no other event, not even a flood of advertising reports, can be mistaken for the answer.
public struct CommandSlot: Sendable, BitwiseCopyable {
    /// How long a controller may take to answer. Real ones answer in milliseconds. Answers that a flood of
    /// reports delays may come seconds late.
    public static let timeout = Interval.seconds(4)
    /// The same for Reset, for which a controller may have to load its firmware. Linux waits as long.
    public static let resetTimeout = Interval.seconds(10)

    public private(set) var pending: OpCode?
    private var answerDeadline = Instant.start
    /// Num_HCI_Command_Packets; after power-on the host may send one command.
    public private(set) var credits: UInt8 = 1

    public init() {}

    public var canSend: Bool { pending == nil && credits > 0 }

    /// When the pending command becomes overdue; nil if there is none.
    public var deadline: Instant? { pending == nil ? nil : answerDeadline }

    public mutating func didSend(_ opCode: OpCode, at now: Instant) {
        precondition(canSend)
        pending = opCode
        credits -= 1
        answerDeadline = now + (opCode == .reset ? Self.resetTimeout : Self.timeout)
    }

    /// Records a Command Complete or Command Status. An answer to a command that is not pending changes
    /// nothing, not even the credits: another program's command may have caused it, or it comes twice.
    ///
    /// - Parameter isFinal: false for a Command Status without an error, if Command Complete is yet to come.
    /// - Returns: whether the pending command is answered.
    public mutating func didReceiveAnswer(
        to opCode: OpCode, credits newCredits: UInt8, isFinal: Bool = true, at now: Instant
    ) -> Bool {
        guard opCode == .none || opCode == pending else { return false }
        let isAnswer = opCode != .none && isFinal
        if isAnswer { pending = nil }
        // Without credits, the timeout now covers the wait for the controller to grant one.
        if newCredits == 0, pending == nil, isAnswer || credits > 0 {
            answerDeadline = now + Self.timeout
        }
        credits = newCredits
        return isAnswer
    }

    /// The command whose answer is overdue; ``OpCode/none`` if the overdue item is a command credit.
    public func overdue(at now: Instant) -> OpCode? {
        guard now >= answerDeadline else { return nil }
        return pending ?? (credits == 0 ? OpCode.none : nil)
    }
}
