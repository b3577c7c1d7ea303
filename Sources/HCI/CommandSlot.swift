import FixedMemory

/// The one command in flight. It keeps what its answer must match, so that nothing else the controller says, least
/// of all a flood of reports, can take the answer's place; and it counts the controller's command credits.
public struct CommandSlot: Sendable, BitwiseCopyable {
    /// How long a controller may take: real ones answer in milliseconds, a reset may take a second, and answers that
    /// reports crowd out come seconds late.
    public static let timeoutMilliseconds: UInt64 = 4_000

    public private(set) var pending: OpCode?
    private var deadlineMilliseconds: UInt64 = 0
    /// Num_HCI_Command_Packets: after power-on one command may be sent.
    public private(set) var credits: UInt8 = 1

    public init() {}

    public var canSend: Bool { pending == nil && credits > 0 }

    /// When the pending command will have taken too long.
    public var deadline: UInt64? { pending == nil ? nil : deadlineMilliseconds }

    public mutating func didSend(_ opCode: OpCode, atMilliseconds now: UInt64) {
        precondition(canSend)
        pending = opCode
        credits -= 1
        deadlineMilliseconds = now + Self.timeoutMilliseconds
    }

    /// Notes a Command Complete or Command Status; true when it answers the pending command. Late and
    /// duplicate answers are false.
    public mutating func didReceiveAnswer(
        to opCode: OpCode, credits newCredits: UInt8, atMilliseconds now: UInt64
    ) -> Bool {
        let isAnswer = opCode != .none && opCode == pending
        if isAnswer { pending = nil }
        // From now on the leave to send another command is waited for.
        if newCredits == 0, pending == nil, isAnswer || credits > 0 {
            deadlineMilliseconds = now + Self.timeoutMilliseconds
        }
        credits = newCredits
        return isAnswer
    }

    /// The command whose answer is overdue; ``OpCode/none`` where it is the leave to send another one.
    public func overdue(atMilliseconds now: UInt64) -> OpCode? {
        guard now >= deadlineMilliseconds else { return nil }
        return pending ?? (credits == 0 ? OpCode.none : nil)
    }
}
