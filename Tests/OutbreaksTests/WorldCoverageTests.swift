import Archive
import Simulator
import Testing

@testable import Outbreaks

/// The coverage that a host computes from logs of worlds with all faults.
@Suite struct WorldCoverageTests {
    /// Seeds whose logs are not sealed, and whose boards have no coverage at several times within ten minutes
    /// or two timelines.
    @Test(arguments: [12, 17, 19, 25] as [UInt64])
    func `covered and blind time together are the whole time, and never overlap`(seed: UInt64) throws {
        var options = RunOptions(seed: seed)
        options.duration = .minutes(10)
        let run = SimulatedRun(options)
        #expect(!run.run().hasFailed)

        let record = try WearerRecord(Outbreak.FetchedLog(on: run.board.medium), of: 0)
        let timelines = CoverageAssembly.timelines(of: record.history)
        #expect(!timelines.isEmpty)
        #expect(timelines.reduce(0) { $0 + $1.covered.count + $1.blind.count } > 3, "another seed shows more")
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
