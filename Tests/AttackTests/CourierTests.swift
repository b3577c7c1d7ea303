import Archive
import EncounterLog
import FixedMemory
import LogContents
import Testing

/// A courier who carries an archive from one computer to another and edits it on the way.
@Suite struct CourierTests {
    private let world: CourierWorld

    init() throws { world = try CourierWorld.shared.get() }

    @Test func `the edits are many, and each is of another kind`() {
        #expect(CourierEdit.all.count >= 40)
        #expect(Set(CourierEdit.all.map(\.description)).count == CourierEdit.all.count)
    }

    @Test func `the archive as it was is whole, and says so`() throws {
        try world.edited({ _ in }) { archive in
            #expect(try CourierContents(archive).facts == world.contents.facts)
            #expect(world.contents.encounterCount == 900)
            for board in try archive.boards() {
                let result = try archive.verify(board.identity, keys: world.keys)
                #expect(result.severity == .note, "\(result.findings)")
                #expect(result.completeThrough?.boot == 2)
            }
        }
    }

    @Test(arguments: CourierEdit.all)
    func `a courier can neither add nor alter an encounter`(_ edit: CourierEdit) throws {
        let found = try world.outcome(of: edit).contents
        #expect(
            found.facts.isSubset(of: world.contents.facts),
            "\(found.facts.subtracting(world.contents.facts).prefix(3))")
        #expect(found.encounterCount <= world.contents.encounterCount)
    }

    @Test(arguments: CourierEdit.all)
    func `a courier cannot leave a log that verifies as whole`(_ edit: CourierEdit) throws {
        let outcome = try world.outcome(of: edit)
        let worst = outcome.verifications.map(\.severity).max() ?? .note
        let isShorter = outcome.contents.encounterCount < world.contents.encounterCount
        guard !edit.isOlderCopy else {
            // An older true copy states how old it is.
            #expect(worst == .note && isShorter, "\(outcome.verifications.map(\.findings))")
            #expect(outcome.verifications.map { $0.completeThrough?.boot } == [1, 2, 2])
            return
        }
        #expect(
            outcome.isRefused || worst >= .unproven, "\(outcome.verifications.map(\.findings))")
        let places = outcome.verifications.flatMap(\.findings).filter { $0.severity > .note }
        #expect(!isShorter || places.contains { $0.position != nil }, "\(places)")
    }

    /// The tables are filled by a command that writes, and the archive is then this computer's own.
    @Test func `a board that a courier has added does not count after a command that writes`() throws {
        try world.edited(writes: true, { try $0.addBoard() }) { archive in
            #expect(try CourierContents(archive).facts == world.contents.facts)
            #expect(try archive.keys(of: world.stranger.identity) == nil)
            let result = try archive.verify(world.stranger.identity, keys: world.keys)
            #expect(result.severity >= .unproven, "\(result.findings)")
        }
    }

    @Test func `a courier's trigger does not act when the analyst stores something`() throws {
        try world.edited({ try $0.run(CourierEdit.sampleTrigger) }, access: .existing) { archive in
            let before = try archive.encounters()
            try archive.record(
                Anchor(
                    instant: .start + .minutes(100),
                    wallClock: CourierBoard.noon + .hours(12) + .minutes(100), error: 500, source: .host),
                boot: 2, of: world.sealed.identity)
            #expect(try archive.encounters().map(\.rssi?.maximumDBm) == before.map(\.rssi?.maximumDBm))
        }
    }

    /// A copy of the medium or of its segments, as `verify FILE` reads it, with the key from elsewhere.
    @Test(arguments: CourierEdit.appended + CourierEdit.changedPages)
    func `a courier cannot leave an image that verifies as whole`(_ edit: CourierEdit) throws {
        try world.edited(edit.apply) { archive in
            let image = try Archive(inMemoryNamed: "image", admitting: .unverified)
            var severities: [LogFinding.Severity] = []
            for board in [world.sealed, world.clear] {
                try image.register(
                    board.identity, blockByteCount: CourierBoard.geometry.blockByteCount,
                    unitByteCount: CourierBoard.geometry.unitByteCount)
                for segment in try archive.segments(of: board.identity) {
                    let bytes = try archive.bytes(ofSegment: segment.ordinal, of: board.identity)
                    try image.append(bytes, at: 0, segment: segment.ordinal, of: board.identity)
                }
                let keys = try archive.keyHistory(of: board.identity)
                severities.append(
                    try image.verify(
                        board.identity, keys: world.keys, trusting: .given(keys, isNamed: false)
                    ).severity)
            }
            #expect(severities.allSatisfy { $0 >= .unproven })
        }
    }
}
