import EncounterLog
import FixedMemory
import Testing

@testable import Archive

/// Tests markers and battery readings in the archive.
@Suite struct RecordedMarkerTests {
    private let log: TestLog
    private let archive: Archive

    init() throws {
        log = try TestLog()
        archive = try Archive(inMemoryNamed: "markers", admitting: .unverified)
        try archive.register(log.board, blockByteCount: TestLog.blockByteCount)
        for segment in log.segments {
            try archive.append(segment.bytes, at: 0, segment: segment.ordinal, of: log.board)
        }
        try archive.decodePages(of: log.board)
    }

    @Test func `the archive has each marker, with its time`() throws {
        let markers = try archive.markers()
        #expect(markers.map(\.origin) == [.button, .button])
        #expect(markers.map(\.moment.time) == [pastNoon(3_607_500), pastNoon(7_207_500)])
    }

    @Test func `markers outside the requested time are left out`() throws {
        var filter = EncounterFilter()
        filter.since = noon + .hours(2)
        #expect(try archive.markers(matching: filter).map(\.moment.time) == [pastNoon(7_207_500)])
    }

    @Test func `the history has the battery's readings`() throws {
        let boots = try archive.history(of: log.board).boots
        let expected = BatteryReading(
            percent: 87, millivolts: 3_912, state: .discharging, isLow: false)
        #expect(boots.map { $0.batteryReadings.map(\.reading) } == [[expected], [expected]])
        #expect(expected.text == "87 %, 3.912 V, discharging")
    }
}
