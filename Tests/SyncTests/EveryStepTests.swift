import Archive
import BoardLink
import BoardTestSupport
import DeviceSync
import EncounterLog
import Testing

@testable import Archive
@testable import Sync

/// Interrupts a synchronisation at each of its steps, from both sides. No data is lost or duplicated, and the
/// next run completes. The archive then equals that of an undisturbed run.
@Suite struct EveryStepTests {
    private static let encounterCount = 14
    /// The board has room for many acknowledgements, because each one takes a page.
    private let board: ServedBoard
    private let undisturbed = Undisturbed()

    init() throws {
        board = try ServedBoard(segmentCount: 512)
        try board.record(Self.encounterCount)
    }

    @Test func `a fetch survives a pulled cable at every frame`() throws {
        let whole = try undisturbedCounts()
        #expect(whole.reads > 30)
        for reads in 0..<whole.reads {
            let archive = try Archive(inMemoryNamed: "test")
            let channel = channel()
            channel.readsUntilBreak = reads
            #expect(throws: SyncError.link(.gone(port: "pipe"))) { try sync(channel, archive) }
            try expectWholeAfterNextRun(archive, "cut after \(reads) pieces")
        }
    }

    @Test func `a second fetch survives a pulled cable at every frame`() throws {
        let archive = try Archive(inMemoryNamed: "test")
        var reads = 0
        var isWhole = false
        while !isWhole {
            try board.record(1, commits: reads % 2 == 0)
            let channel = channel()
            channel.readsUntilBreak = reads
            reads += 1
            isWhole = (try? sync(channel, archive)) != nil
            #expect(reads < 2_000)
        }
        #expect(reads > 10)
        try expectWholeAfterNextRun(archive, "cut \(reads) times")
    }

    @Test func `a fetch survives a killed host at every step`() throws {
        let life = HostLife()
        try run(life, Archive(inMemoryNamed: "other"))
        let steps = life.stepCount
        #expect(steps > 50)
        for last in 0..<steps {
            let archive = try Archive(inMemoryNamed: "test")
            #expect(throws: SyncError.self) { try run(HostLife(steps: last), archive) }
            try expectWholeAfterNextRun(archive, "killed after \(last) steps")
        }
    }

    @Test func `the replacement of a segment survives a killed host at every step`() throws {
        let wrong = try self.wrongArchive()
        let life = HostLife()
        try run(life, wrong)
        let steps = life.stepCount
        for last in 0..<steps {
            let archive = try self.wrongArchive()
            #expect(throws: SyncError.self) { try run(HostLife(steps: last), archive) }
            try sync(channel(), archive, acknowledges: false)
            for segment in board.segments() {
                #expect(
                    try archive.bytes(ofSegment: segment.ordinal, of: board.identity)
                        == board.bytes(ofSegment: segment.ordinal), "killed after \(last) steps")
            }
            #expect(try archive.encounters().count == Self.encounterCount)
        }
    }

    enum Death: CaseIterable {
        case beforeTheAnswer, amidTheAnswer, behindTheAnswer
    }

    /// The line disappears together with the board, as with a USB gadget.
    @Test(arguments: Death.allCases) func `a fetch survives a killed board at every step`(_ death: Death)
        throws
    {
        let requests = try undisturbedCounts().requests
        #expect(requests > 15)
        for request in 0..<requests { try Self().fetch(killing: request, death, restartsAtOnce: false) }
    }

    /// The line survives the board's failure, and the host continues its requests, as with a UART.
    @Test(arguments: Death.allCases) func `a fetch survives a board that restarts at once at every step`(
        _ death: Death
    ) throws {
        let requests = try undisturbedCounts().requests
        for request in 0..<requests { try Self().fetch(killing: request, death, restartsAtOnce: true) }
    }

    /// Each request has a board of its own, because the log of one board would grow with every death.
    private func fetch(killing request: Int, _ death: Death, restartsAtOnce: Bool) throws {
        try board.record(1, commits: false)
        let archive = try Archive(inMemoryNamed: "test")
        let channel = channel()
        kill(channel, at: request, death)
        if restartsAtOnce {
            try sync(channel, archive)
        } else {
            channel.answersUntilBreak = request + (death == .behindTheAnswer ? 1 : 0)
            _ = try? sync(channel, archive)
        }
        #expect(board.bootIdentifier == 8, "the board died")
        try expectWholeAfterNextRun(archive, "killed \(death) of request \(request)")
    }

    // MARK: Steps

    private func channel() -> PipeChannel {
        let channel = PipeChannel(board)
        channel.readByteCount = 127
        return channel
    }

    private func kill(_ channel: PipeChannel, at number: Int, _ death: Death) {
        channel.tamper = { [board] request, answer in
            guard request == number else { return }
            switch death {
            case .beforeTheAnswer: answer = []
            case .amidTheAnswer: answer.removeLast(answer.count / 2)
            case .behindTheAnswer: break
            }
            #expect(throws: Never.self) { try board.restart() }
        }
    }

    private func undisturbedCounts() throws -> (reads: Int, requests: Int) {
        let channel = channel()
        try sync(channel, Archive(inMemoryNamed: "other"))
        return (channel.readCount, channel.requestCount)
    }

    private func sync(_ channel: PipeChannel, _ archive: Archive, acknowledges: Bool = true) throws {
        var options = Synchroniser.Options.trusting
        options.acknowledges = acknowledges
        let before = board.syncedThrough
        let summary: SyncSummary
        do {
            summary = try Synchroniser(
                client: BoardClient.test(channel), archive: archive, options: options
            ).run()
        } catch {
            if board.syncedThrough > before { try expectAcknowledgedIsHere(archive) }
            throw error
        }
        if acknowledges, case .done(let position) = summary.acknowledgement {
            #expect(board.syncedThrough > before)
            #expect(board.syncedThrough.byteOffset == position.byteOffset)
        }
        try expectAcknowledgedIsHere(archive)
    }

    /// Checks that the board considers nothing acknowledged that this archive, the only one, lacks.
    private func expectAcknowledgedIsHere(_ archive: Archive) throws {
        let synced = board.syncedThrough
        for segment in board.segments() where segment.ordinal <= synced.segmentOrdinal {
            let bytes = try board.bytes(ofSegment: segment.ordinal)
            let count = segment.ordinal < synced.segmentOrdinal ? bytes.count : Int(synced.byteOffset)
            let stored = try archive.bytes(ofSegment: segment.ordinal, of: board.identity)
            #expect(stored.count >= count && stored.prefix(count) == bytes.prefix(count))
        }
    }

    /// Runs a synchronisation that fails once the host's steps are used up.
    private func run(_ life: HostLife, _ archive: Archive) throws {
        let channel = channel()
        channel.beforeStep = { () throws(LinkError) in
            guard life.step() else { throw .gone(port: "pipe") }
        }
        var mortal = archive
        mortal.beforeWriting = { guard life.step() else { throw HostLife.Ended() } }
        try sync(channel, mortal)
    }

    private func wrongArchive() throws -> Archive {
        let archive = try Archive(inMemoryNamed: "test")
        try board.register(in: archive)
        var wrong = try board.bytes(ofSegment: board.segments()[0].ordinal)
        wrong[300] ^= 4
        try archive.append(wrong, at: 0, segment: board.segments()[0].ordinal, of: board.identity)
        return archive
    }

    private func expectWholeAfterNextRun(_ archive: Archive, _ comment: Comment) throws {
        // This run does not acknowledge, because the board would log the acknowledgement.
        try sync(channel(), archive, acknowledges: false)
        let (found, expected) = (try ArchiveContents(archive), try contents())
        #expect(found.differences(from: expected) == [], comment)
    }

    /// The content of an archive after an undisturbed fetch of the board's present state. A log with the same
    /// last page is the same log, because this one only grows.
    private func contents() throws -> ArchiveContents {
        if let known = undisturbed.contents, undisturbed.head == board.head { return known }
        let archive = try Archive(inMemoryNamed: "undisturbed")
        try sync(channel(), archive, acknowledges: false)
        let contents = try ArchiveContents(archive)
        (undisturbed.head, undisturbed.contents) = (board.head, contents)
        return contents
    }
}

/// The latest undisturbed fetch, and the end of the log then.
private final class Undisturbed {
    var head: LogPosition?
    var contents: ArchiveContents?
}

/// A host with a limited number of steps: each write, read and transaction is one. Afterwards every step
/// fails.
private final class HostLife: @unchecked Sendable {
    struct Ended: Error {}

    private let steps: Int
    private(set) var stepCount = 0

    init(steps: Int = .max) { self.steps = steps }

    /// Returns false once all steps are used up.
    func step() -> Bool {
        stepCount += 1
        return stepCount <= steps
    }
}
