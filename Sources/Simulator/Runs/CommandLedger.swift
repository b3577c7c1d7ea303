import HCI

/// Pairs a host's commands with their answers, as the host sees both. Nothing numbers them: an answer is to the oldest
/// command of its kind that has none, so that a late one is never taken for that of a command which was sent since.
struct CommandLedger {
    private struct Waiting {
        let opCode: OpCode
        let isCounted: Bool
        /// Another command was sent since: for an answer in time it is too late.
        var isOvertaken = false
    }

    /// Whether commands that are sent from now on are counted; their answers are, whenever they come.
    var isCounting = false
    private(set) var commandCount = 0
    /// Of these commands, those that were answered before the next was sent.
    private(set) var answerCount = 0
    /// Answers to no command that was waiting for one.
    private(set) var strayAnswerCount = 0
    private var waiting: [Waiting] = []

    /// Takes a packet that went one way or the other.
    mutating func note(_ packet: [UInt8], isFromBoard: Bool) {
        if isFromBoard {
            guard let opCode = OpCode.sent(in: packet) else { return }
            for index in waiting.indices { waiting[index].isOvertaken = true }
            waiting.append(Waiting(opCode: opCode, isCounted: isCounting))
            if isCounting { commandCount += 1 }
        } else if let opCode = OpCode.answered(by: packet) {
            noteAnswer(to: opCode)
        }
    }

    private mutating func noteAnswer(to opCode: OpCode) {
        guard let index = waiting.firstIndex(where: { $0.opCode == opCode }) else {
            strayAnswerCount += 1
            return
        }
        let command = waiting.remove(at: index)
        if command.isCounted, !command.isOvertaken { answerCount += 1 }
    }
}
