import EncounterLog
import HCI
import Peers
import Testing

/// What happens when there is more than fits.
@Suite struct RecorderLimitsTests {
    @Test func stoppingWithMoreEncountersThanFitInTheQueueLosesNone() throws {
        var listener = try Listener {
            $0.peerCapacity = 100
            $0.entryCapacity = 16
        }
        var entries: [LogEntry] = []
        for number in 0..<100 as Range<UInt64> {
            listener.hear(.peer(number))
            entries += listener.takeEntries()
        }
        var rounds = 0
        while !listener.recorder.flush() {
            entries += listener.takeEntries()
            rounds += 1
        }
        entries += listener.takeEntries()
        #expect(entries.compactMap(\.sample).count == 100)
        #expect(rounds == 6)
        let dropped = listener.recorder.counters.dropped
        #expect(dropped == 0)
    }

    @Test func whileTheLogTakesNothingSamplesGrowLongerInsteadOfGettingLost() throws {
        var listener = try Listener { $0.entryCapacity = 2 }
        listener.hear(.peer(1))
        for _ in 0..<100 {
            listener.hear(.peer(1))
            listener.wait(milliseconds: 1_000)
        }
        #expect(listener.takeEntries().map(\.name) == ["opened", "sample"])
        _ = listener.recorder.flush()
        let rest = listener.takeEntries().compactMap(\.sample)
        #expect(rest.count == 1)
        #expect((rest.first?.readings ?? 0) > 80)
        let dropped = listener.recorder.counters.dropped
        #expect(dropped == 0)
    }

    @Test func entriesThatFindNoRoomAreCounted() throws {
        var listener = try Listener { $0.entryCapacity = 4 }
        for number in 0..<10 as Range<UInt64> { listener.hear(.peer(number)) }
        let dropped = listener.recorder.counters.dropped
        #expect(dropped == 6)
        #expect(listener.takeEntries().count == 4)
    }

    @Test func waitingEntriesOutliveThePeerTheyAreAbout() throws {
        var listener = try Listener { $0.peerCapacity = 2 }
        listener.hear(.peer(1))
        try listener.identify(.peer(1), as: [0xaa])
        listener.hear(.peer(2))
        // Pushes out the first, whose entries still wait, and takes its place.
        listener.hear(.peer(3))
        let entries = listener.takeEntries()
        #expect(entries.map(\.name) == ["opened", "identified", "opened", "sample", "closed", "opened"])
        #expect(entries[0].opened?.address == DeviceAddress.peer(1).bytes)
        #expect(entries[1].identified?.identity == (try identity([0xaa])))
        #expect(entries[5].opened?.address == DeviceAddress.peer(3).bytes)
        let counters = listener.recorder.counters
        #expect(counters.evicted == 1 && counters.dropped == 0)
    }

    @Test func noEncounterEverGetsTheIdentityOfWhoTookThePeersPlace() throws {
        var listener = try Listener { $0.peerCapacity = 1 }
        listener.hear(.peer(1))
        try listener.identify(.peer(1), as: [0xaa])
        listener.hear(.peer(2))
        try listener.identify(.peer(2), as: [0xbb])
        let identified = listener.takeEntries().compactMap(\.identified)
        #expect(identified.map(\.encounter) == [2])
        #expect(identified.first?.identity == (try identity([0xbb])))
        let dropped = listener.recorder.counters.dropped
        #expect(dropped == 1)
    }

    @Test func aPeerThatIsForgottenWithEntriesWaitingLeavesThemWhole() throws {
        var listener = try Listener { $0.forgetMilliseconds = 40_000 }
        listener.hear(.peer(1))
        try listener.identify(.peer(1), as: [0xaa])
        listener.wait(milliseconds: 60_000)
        listener.hear(.peer(2))
        let entries = listener.takeEntries()
        #expect(entries.map(\.name) == ["opened", "identified", "sample", "closed", "opened"])
        #expect(entries[0].opened?.address == DeviceAddress.peer(1).bytes)
        #expect(entries[1].identified?.identity == (try identity([0xaa])))
    }

    @Test func encounterNumbersGrowFromOne() throws {
        var listener = try Listener()
        for number in 0..<10 as Range<UInt64> { listener.hear(.peer(number)) }
        #expect(listener.takeEntries().compactMap(\.opened?.encounter) == Array(1...10))
    }
}
