import HCI

/// Pairs a host's commands with their answers, in the order in which the host sees both. HCI does not
/// number them, so an answer belongs to the oldest unanswered command with its opcode. A late answer is
/// therefore never attributed to a command sent since.
struct CommandLedger {
    private struct Waiting {
        let opCode: OpCode
        let isCounted: Bool
        /// Whether another command was sent since, so that an answer would be late.
        var isOvertaken = false
    }

    /// Whether commands sent from now on are counted. Their answers are counted even if they come later.
    var isCounting = false
    private(set) var commandCount = 0
    /// The counted commands that were answered before the next one was sent.
    private(set) var answerCount = 0
    /// The answers that belong to no waiting command.
    private(set) var strayAnswerCount = 0
    private var waiting: [Waiting] = []

    /// Records a packet in either direction.
    mutating func record(_ packet: [UInt8], isFromBoard: Bool) {
        if isFromBoard {
            guard let opCode = OpCode.sent(in: packet) else { return }
            for index in waiting.indices { waiting[index].isOvertaken = true }
            waiting.append(Waiting(opCode: opCode, isCounted: isCounting))
            if isCounting { commandCount += 1 }
        } else if let opCode = OpCode.answered(by: packet) {
            didReceiveAnswer(to: opCode)
        }
    }

    private mutating func didReceiveAnswer(to opCode: OpCode) {
        guard let index = waiting.firstIndex(where: { $0.opCode == opCode }) else {
            strayAnswerCount += 1
            return
        }
        let command = waiting.remove(at: index)
        if command.isCounted, !command.isOvertaken { answerCount += 1 }
    }
}
