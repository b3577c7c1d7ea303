import Testing

@testable import Simulator

/// The ledger attributes each answer to its own command, and recognises late ones.
@Suite struct CommandLedgerTests {
    private static let command: [UInt8] = [1, 0x0c, 0x20, 2, 1, 0]
    private static let other: [UInt8] = [1, 0x0b, 0x20, 0]
    private static let answer: [UInt8] = [4, 0x0e, 4, 1, 0x0c, 0x20, 0]
    private static let status: [UInt8] = [4, 0x0f, 4, 0x0c, 1, 0x0c, 0x20]

    private func ledger(isCounting: Bool = true) -> CommandLedger {
        var ledger = CommandLedger()
        ledger.isCounting = isCounting
        return ledger
    }

    private func counts(_ ledger: CommandLedger) -> [Int] {
        [ledger.commandCount, ledger.answerCount, ledger.strayAnswerCount]
    }

    @Test(arguments: [answer, status]) func `a command and its answer are a pair`(answer: [UInt8]) {
        var ledger = ledger()
        ledger.record(Self.command, isFromBoard: true)
        ledger.record(answer, isFromBoard: false)
        #expect(counts(ledger) == [1, 1, 0])
    }

    @Test func `an answer after the next command is late`() {
        var ledger = ledger()
        ledger.record(Self.command, isFromBoard: true)
        ledger.record(Self.other, isFromBoard: true)
        ledger.record(Self.answer, isFromBoard: false)
        #expect(counts(ledger) == [2, 0, 0])
    }

    @Test func `a late answer does not count for the next command with the same op code`() {
        var ledger = ledger()
        ledger.record(Self.command, isFromBoard: true)
        ledger.record(Self.command, isFromBoard: true)
        ledger.record(Self.answer, isFromBoard: false)
        #expect(counts(ledger) == [2, 0, 0])
        ledger.record(Self.answer, isFromBoard: false)
        #expect(counts(ledger) == [2, 1, 0])
    }

    @Test func `an answer to a command from before the count is not counted`() {
        var ledger = ledger(isCounting: false)
        ledger.record(Self.command, isFromBoard: true)
        ledger.isCounting = true
        ledger.record(Self.command, isFromBoard: true)
        ledger.record(Self.answer, isFromBoard: false)
        #expect(counts(ledger) == [1, 0, 0])
    }

    @Test func `an answer after the count is counted with its command`() {
        var ledger = ledger()
        ledger.record(Self.command, isFromBoard: true)
        ledger.isCounting = false
        ledger.record(Self.answer, isFromBoard: false)
        ledger.record(Self.other, isFromBoard: true)
        #expect(counts(ledger) == [1, 1, 0])
    }

    @Test func `a repeated answer is counted as stray`() {
        var ledger = ledger()
        ledger.record(Self.command, isFromBoard: true)
        for _ in 0..<2 { ledger.record(Self.answer, isFromBoard: false) }
        #expect(counts(ledger) == [1, 1, 1])
    }

    @Test func `credits without an op code, reports and data do not count as answers`() {
        var ledger = ledger()
        ledger.record([4, 0x0e, 4, 1, 0, 0, 0], isFromBoard: false)
        ledger.record([4, 0x3e, 4, 2, 0x0c, 0x20, 0], isFromBoard: false)
        ledger.record([2, 0x0e, 4, 1, 0x0c, 0x20, 0], isFromBoard: true)
        #expect(counts(ledger) == [0, 0, 0])
    }
}
