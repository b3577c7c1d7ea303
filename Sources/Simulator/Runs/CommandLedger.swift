import HCI

/// Pairs a host's commands with their answers, as the host sees both. Nothing numbers them: an answer is to the oldest
/// command of its kind that has none, so that a late one is never taken for that of a command which was sent since.
struct CommandLedger {
    private struct Waiting {
        let opCode: [UInt8]
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
            guard packet.count > 2, packet[0] == PacketIndicator.command.rawValue else { return }
            for index in waiting.indices { waiting[index].isOvertaken = true }
            waiting.append(Waiting(opCode: Array(packet[1...2]), isCounted: isCounting))
            if isCounting { commandCount += 1 }
        } else if let opCode = Self.opCode(answeredBy: packet) {
            noteAnswer(to: opCode)
        }
    }

    private mutating func noteAnswer(to opCode: [UInt8]) {
        guard let index = waiting.firstIndex(where: { $0.opCode == opCode }) else {
            strayAnswerCount += 1
            return
        }
        let command = waiting.remove(at: index)
        if command.isCounted, !command.isOvertaken { answerCount += 1 }
    }

    /// Of Command Complete and Command Status; nil of all else, and of those that only give a credit.
    private static func opCode(answeredBy packet: [UInt8]) -> [UInt8]? {
        guard packet.count > 6, packet[0] == PacketIndicator.event.rawValue else { return nil }
        let opCode: [UInt8]
        switch packet[1] {
        case 0x0e: opCode = Array(packet[4...5])
        case 0x0f: opCode = Array(packet[5...6])
        default: return nil
        }
        return opCode == [0, 0] ? nil : opCode
    }
}
