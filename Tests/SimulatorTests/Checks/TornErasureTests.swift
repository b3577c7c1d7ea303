import Testing

@testable import FlashSimulator
@testable import Simulator

/// Hosts that fetch a segment before and after a power cut interrupts its erasure. The segment header may
/// outlive that, so the second host gets pages with erased parts.
@Suite struct TornErasureTests {
    private let checked = CheckedBoard(options: { $0.logSoon() })

    /// Gives page 0 of segment 0 to two hosts.
    /// - Parameters:
    ///   - change: what happens to the page in between.
    ///   - erase: whether an erasure of the segment begins, and whether power is cut meanwhile.
    private func violations(
        erase: (begins: Bool, isCut: Bool), change: (inout [UInt8]) -> Void
    ) -> [String] {
        let medium = checked.board.medium
        checked.beginBesidePhone()
        for _ in 0..<600 where medium.isErased(medium.range(ofBlock: 0)) { checked.run(.milliseconds(100)) }
        var page = Array(medium.bytes[medium.range(ofBlock: 0)])
        let check = NothingAcknowledgedIsLost(checked.checker)
        check.acknowledged(0, page)
        if erase.isCut { medium.cutPower(during: .erase(segment: 0), tear: .nothing) }
        if erase.begins { check.operated(.erase(segment: 0, succeeded: false)) }
        change(&page)
        check.acknowledged(0, page)
        return checked.checker.violations.map(\.description)
    }

    @Test func `a page may be partly erased after a power cut interrupted an erasure`() {
        let found = violations(erase: (begins: true, isCut: true)) { page in
            for index in 64..<128 { page[index] = 0xff }
        }
        #expect(found == [])
    }

    @Test func `an interrupted erasure clears no bit`() {
        let found = violations(erase: (begins: true, isCut: true)) { $0[0] = 0 }
        #expect(found.map { $0.contains("page 0 of segment 0 was given in two ways") } == [true])
    }

    @Test(arguments: [true, false])
    func `without a power cut a page is not partly erased`(begins: Bool) {
        let found = violations(erase: (begins: begins, isCut: false)) { page in
            for index in 64..<128 { page[index] = 0xff }
        }
        #expect(found.map { $0.contains("page 0 of segment 0 was given in two ways") } == [true])
    }
}
