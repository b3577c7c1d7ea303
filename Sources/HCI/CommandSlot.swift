import FixedMemory

/// Tracks the one command in flight and the controller's command credits. It keeps what the answer must
/// match, so that no other event, not even a flood of advertising reports, can be mistaken for the answer.
public struct CommandSlot: Sendable, BitwiseCopyable {
    /// How long a controller may take to answer. Real ones answer in milliseconds, and a reset may take a
    /// second. Answers that a flood of reports delays may come seconds late.
    public static let timeoutMilliseconds: UInt64 = 4_000

    public private(set) var pending: OpCode?
    private var deadlineMilliseconds: UInt64 = 0
    /// Num_HCI_Command_Packets; after power-on the host may send one command.
    public private(set) var credits: UInt8 = 1

    public init() {}

    public var canSend: Bool { pending == nil && credits > 0 }

    /// When the pending command becomes overdue; nil if there is none.
    public var deadline: UInt64? { pending == nil ? nil : deadlineMilliseconds }

    public mutating func didSend(_ opCode: OpCode, atMilliseconds now: UInt64) {
        precondition(canSend)
        pending = opCode
        credits -= 1
        deadlineMilliseconds = now + Self.timeoutMilliseconds
    }

    /// Records a Command Complete or Command Status. Returns true if it answers the pending command; late and
    /// duplicate answers return false.
    public mutating func didReceiveAnswer(
        to opCode: OpCode, credits newCredits: UInt8, atMilliseconds now: UInt64
    ) -> Bool {
        let isAnswer = opCode != .none && opCode == pending
        if isAnswer { pending = nil }
        // Without credits, the timeout now covers the wait for the controller to grant one.
        if newCredits == 0, pending == nil, isAnswer || credits > 0 {
            deadlineMilliseconds = now + Self.timeoutMilliseconds
        }
        credits = newCredits
        return isAnswer
    }

    /// The command whose answer is overdue; ``OpCode/none`` if the overdue item is a command credit.
    public func overdue(atMilliseconds now: UInt64) -> OpCode? {
        guard now >= deadlineMilliseconds else { return nil }
        return pending ?? (credits == 0 ? OpCode.none : nil)
    }
}
