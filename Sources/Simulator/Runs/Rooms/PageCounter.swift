import FlashSimulator

/// Counts the pages that a board programs, by the hour.
final class PageCounter {
    /// The bytes of pages, with their overhead and without the padding of the last unit.
    private(set) var logBytesByHour: [UInt64] = []
    /// The bytes programmed.
    private(set) var programmedByteCount: UInt64 = 0
    /// The pages that were programmed over an earlier page, so that the ring lost it.
    private(set) var overwrittenPageCount = 0

    private var pending: [Int] = []
    private var written: Set<Int> = []

    init(of board: SimulatedBoard) {
        board.medium.onOperation = { [unowned board] operation in
            switch operation {
            case .program(let block, true): self.pending.append(block)
            case .sync(true): self.count(on: board)
            default: break
            }
        }
    }

    private func count(on board: SimulatedBoard) {
        let hour = Int(board.world.now.microseconds / 3_600_000_000)
        while logBytesByHour.count <= hour { logBytesByHour.append(0) }
        for block in pending {
            if !written.insert(block).inserted { overwrittenPageCount += 1 }
            programmedByteCount += UInt64(board.medium.geometry.blockByteCount)
            let page = CommittedPage(number: block, of: board)
            logBytesByHour[hour] += UInt64(page?.byteCount ?? board.medium.geometry.blockByteCount)
        }
        pending = []
    }
}
