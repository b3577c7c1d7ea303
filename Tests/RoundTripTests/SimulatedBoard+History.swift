import Archive
import EncounterLog
import FixedMemory
import FlashSimulator
import LogContents
import Testing

@testable import Simulator

extension SimulatedBoard {
    /// The content of the board's flash, as the archive decodes it after a fetch. The board must be off.
    func history() throws -> BoardHistory {
        let archive = try Archive(inMemoryNamed: name, admitting: .unverified)
        medium.willBeMounted()
        var log = try EncounterLog(
            mounting: SimulatedFlash(medium), newLogIdentity: Bytes<16>(), bootIdentifier: 0)
        var identity: LogIdentity?
        for segment in try FetchedSegment.all(of: &log) {
            guard let segmentHeader = SegmentHeader(pageStart: segment.bytes.span) else { continue }
            let board = try #require(LogIdentity([UInt8](copying: segmentHeader.logIdentity.span)))
            identity = board
            try archive.register(board, blockByteCount: medium.geometry.blockByteCount, name: name)
            try archive.append(segment.bytes, at: 0, segment: segment.ordinal, of: board)
            if segment.isComplete {
                try archive.markComplete(segment: segment.ordinal, of: board, isVerified: true)
            }
        }
        let board = try #require(identity)
        try archive.decodePages(of: board)
        return try archive.history(of: board)
    }
}
