import DeviceSync
import FixedMemory
import Testing

@testable import BoardPanel

/// Tests which state the light shows for a status.
@Suite struct PanelWatchTests {
    /// The status of a board that does its work, with changes.
    private func status(_ change: (inout BoardStatus) -> Void = { _ in }) -> BoardStatus {
        var status = BoardStatus()
        status.bootIdentifier = 7
        status.radioState = .up
        status.takesPages = true
        status.wallClock = WallClockTime(days: 20_000)
        change(&status)
        return status
    }

    private func state(_ change: (inout BoardStatus) -> Void = { _ in }) -> PanelState {
        var watch = PanelWatch()
        return watch.state(of: status(change))
    }

    @Test func `an agent that does not answer is missing`() {
        var watch = PanelWatch()
        #expect(watch.state(of: nil) == .agentMissing)
    }

    @Test func `a board with all it needs works, also in an empty room`() {
        #expect(state() == .working)
        #expect(state { $0.radioState = .quiet } == .working)
    }

    @Test func `each fault has its state`() {
        #expect(state { $0.radioState = .recovering } == .radioDown)
        #expect(state { $0.radioState = .lost } == .radioDown)
        #expect(state { $0.takesPages = false } == .logLosing)
        #expect(state { $0.radioState = .unused } == .notSetUp)
        #expect(state { $0.battery = .init(percent: 4, state: 1, isLow: true) } == .batteryLow)
        #expect(state { $0.wallClock = nil } == .clockUnknown)
        #expect(state { $0.isSyncing = true } == .syncing)
    }

    @Test func `of several states that hold, the weightiest counts`() {
        #expect(
            state {
                $0.wallClock = nil
                $0.radioState = .recovering
            } == .radioDown)
        #expect(
            state {
                $0.wallClock = nil
                $0.battery = .init(percent: 4, state: 1, isLow: true)
            } == .batteryLow)
    }

    @Test func `lost segments are a fault until a client has fetched the log`() {
        var watch = PanelWatch()
        #expect(watch.state(of: status()) == .working)
        #expect(watch.state(of: status { $0.lostSegmentCount = 2 }) == .logLosing)
        let fetched = status {
            $0.lostSegmentCount = 2
            $0.syncedThrough = SyncPosition(segmentOrdinal: 9, byteOffset: 0)
        }
        #expect(watch.state(of: fetched) == .working)
        var more = fetched
        more.lostSegmentCount = 3
        #expect(watch.state(of: more) == .logLosing)
    }

    @Test func `an agent that has started again counts losses anew`() {
        var watch = PanelWatch()
        _ = watch.state(of: status())
        let fetched = status {
            $0.lostSegmentCount = 5
            $0.syncedThrough = SyncPosition(segmentOrdinal: 9, byteOffset: 0)
        }
        #expect(watch.state(of: fetched) == .working)
        var next = fetched
        next.bootIdentifier = 8
        next.lostSegmentCount = 1
        #expect(watch.state(of: next) == .logLosing)
    }
}
