import Archive
import Simulator
import Testing

@testable import Outbreaks

/// The coverage that a host computes from logs of worlds with all faults.
@Suite struct WorldCoverageTests {
    /// Seeds whose logs are not sealed.
    private static let seeds = (1...20).filter { !RunOptions(seed: $0).isSealed }.prefix(4)

    @Test(arguments: seeds)
    func `covered and blind time together are the whole time, and never overlap`(seed: UInt64) throws {
        var options = RunOptions(seed: seed)
        options.duration = .minutes(30)
        let run = SimulatedRun(options)
        #expect(!run.run().hasFailed)

        let record = try WearerRecord(Outbreak.FetchedLog(on: run.board.medium), of: 0)
        let timelines = CoverageAssembly.timelines(of: record.history)
        #expect(!timelines.isEmpty)
        for timeline in timelines {
            let pieces =
                timeline.covered.map { $0.start...$0.end }
                + timeline.blind.map { $0.start...$0.end }
            var position = timeline.range.lowerBound
            for piece in pieces.sorted(by: { ($0.lowerBound, $0.upperBound) < ($1.lowerBound, $1.upperBound) }
            ) {
                #expect(piece.lowerBound == position, "seed \(seed)")
                position = piece.upperBound
            }
            #expect(position == timeline.range.upperBound, "seed \(seed)")
        }
    }
}
