import Testing

@testable import FlashSimulator
@testable import Simulator

/// Damage at rest to the only page of the newest segment, before a power cut. The log cannot distinguish it
/// from a page that the cut has torn, so it begins the segment again.
@Suite struct DamagedNewestSegmentTests {
    private let checked = CheckedBoard(
        options: {
            $0.logSoon()
            $0.blocksPerSegment = 5
        })

    /// Lets the log begin its second segment, flips a bit of that page, and cuts the power.
    /// - Parameters:
    ///   - byteIndex: the place of the bit in the page.
    ///   - isHidden: whether the check does not learn of the flipped bit.
    private func violations(byteIndex: Int, isHidden: Bool = false) -> [String] {
        let board = checked.board
        let medium = board.medium
        checked.beginBesidePhone()
        let first = medium.blocks(ofSegment: 1).lowerBound
        let segment = medium.range(ofBlock: first)
        for _ in 0..<600 where medium.isErased(segment) { checked.run(.milliseconds(100)) }
        #expect(!medium.isErased(segment))
        #expect(medium.isErased(medium.range(ofBlock: first + 1)))
        medium.flip(bit: byteIndex * 8, inBlock: first)
        if isHidden { medium.flippedBlocks = [] }
        board.cutPower()
        checked.run(.seconds(2))
        board.powerOn()
        checked.run(.seconds(30))
        #expect(!medium.isErased(medium.range(ofBlock: first + 1)))
        return checked.end().filter { $0.check == "PagesInSequence" }.map(\.description)
    }

    @Test func `a segment without a readable page begins again`() {
        #expect(violations(byteIndex: 30) == [])
    }

    @Test func `a segment that begins again without damage is found`() {
        let found = violations(byteIndex: 30, isHidden: true)
        #expect(found.contains { $0.contains("page 5 after page 5") })
    }

    @Test func `a segment continues behind a damaged page whose segment header is readable`() {
        let last = checked.board.medium.geometry.blockByteCount - 1
        #expect(violations(byteIndex: last) == [])
    }
}
