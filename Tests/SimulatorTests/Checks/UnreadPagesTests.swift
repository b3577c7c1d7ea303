import Testing

@testable import FlashSimulator
@testable import Simulator

/// Bits that flip at rest in both segment headers of the newest segment. The checks cannot read the pages
/// that follow in it, so they do not see the encounters that these open.
@Suite struct UnreadPagesTests {
    private let checked = CheckedBoard(
        options: {
            $0.logSoon()
            $0.blocksPerSegment = 5
        })

    @Test func `an encounter that a page opened that cannot be read may go on in the next segment`() {
        let board = checked.board
        let medium = board.medium
        checked.beginBesidePhone()
        for _ in 0..<600 where medium.isErased(medium.range(ofBlock: 1)) { checked.run(.milliseconds(100)) }
        for block in 0..<2 { medium.flip(bit: 30 * 8, inBlock: block) }
        #expect(medium.isErased(medium.range(ofBlock: 2)))
        checked.add("late phone", .android)
        for _ in 0..<1200 where medium.isErased(medium.range(ofBlock: 6)) {
            checked.run(.milliseconds(100))
        }
        #expect(!medium.isErased(medium.range(ofBlock: 6)))
        #expect(checked.end().filter { $0.check == "EntriesInOrder" }.map(\.description) == [])
    }
}
