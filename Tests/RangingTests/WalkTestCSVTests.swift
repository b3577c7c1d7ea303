import Testing

@testable import Ranging

@Suite struct WalkTestCSVTests {
    private static let header = "time,rssi,distance\n"

    private func readings(_ text: String) throws -> [WalkTest.Reading] {
        try WalkTestCSV.readings(in: Array(text.utf8))
    }

    private func failure(_ text: String) -> WalkTestCSV.Failure? {
        do {
            _ = try WalkTestCSV.readings(in: Array(text.utf8))
            return nil
        } catch { return error }
    }

    @Test func `each line is a reading: time, dBm and centimetres`() throws {
        let readings = try readings(
            Self.header + "2021-01-05 17:54:02,-73.0,25\n2021-01-05 17:54:03,-74,25.5\n")
        #expect(readings.map(\.seconds) == [1_609_869_242, 1_609_869_243])
        #expect(readings.map(\.rssiDBm) == [-73, -74])
        #expect(readings.map(\.distanceCentimetres) == [25, 25.5])
    }

    @Test func `a byte order mark, CRLF and a missing or repeated last line end change nothing`() throws {
        let plain = try readings(Self.header + "2021-01-05 17:54:02,-73,25\n")
        #expect(try readings("\u{FEFF}time,rssi,distance\r\n2021-01-05 17:54:02,-73,25\r\n\r\n") == plain)
        #expect(try readings(Self.header + "2021-01-05 17:54:02,-73,25") == plain)
        #expect(try readings(Self.header + "2021-01-05 17:54:02,-73,25\n\n\n") == plain)
    }

    @Test(arguments: [
        ("1970-01-01 00:00:00", 0.0), ("1970-01-01T00:00:00Z", 0), ("2000-03-01 00:00:00", 951_868_800),
        ("2024-02-29 23:59:59.25", 1_709_251_199.25), ("1970-01-01 01:00:00+0100", 0),
        ("1970-01-01 00:00:00-00:30", 1_800), ("9999-12-31 23:59:59", 253_402_300_799),
    ])
    func `times may have a fraction and an offset from UTC`(_ text: String, _ seconds: Double) throws {
        #expect(try readings(Self.header + text + ",-73,25\n").map(\.seconds) == [seconds])
    }

    @Test(arguments: [
        "", "2021-01-05", "2021-02-29 00:00:00", "2100-02-29 00:00:00", "2021-13-01 00:00:00",
        "2021-00-01 00:00:00",
        "2021-01-00 00:00:00", "2021-01-05 24:00:00", "2021-01-05 00:60:00", "2021-01-05 00:00:60",
        "1969-12-31 23:59:59", "2021-01-05 00:00:00.", "2021-01-05 00:00:00.1234567890",
        "2021-01-05 00:00:00+1", "2021-01-05 00:00:00+2400", "2021-01-05 00:00:00 ", "21-01-05 00:00:00",
    ])
    func `a time that is none is refused with its line`(_ text: String) {
        let problem = failure(Self.header + "2021-01-05 17:54:02,-73,25\n" + text + ",-73,25\n")
        #expect(problem == WalkTestCSV.Failure(line: 3, problem: .timeInvalid))
    }

    @Test(arguments: [
        ("-128", "25", WalkTestCSV.Failure.Problem.rssiOutOfRange), ("-127.1", "25", .rssiOutOfRange),
        ("20.5", "25", .rssiOutOfRange), ("127", "25", .rssiOutOfRange), ("", "25", .rssiNotNumber),
        ("-", "25", .rssiNotNumber), ("nan", "25", .rssiNotNumber), ("-inf", "25", .rssiNotNumber),
        ("-7e1", "25", .rssiNotNumber), ("+7", "25", .rssiNotNumber), ("-73.", "25", .rssiNotNumber),
        (".5", "25", .rssiNotNumber), ("-73 ", "25", .rssiNotNumber), ("-73", "", .distanceNotNumber),
        ("-73", "2.5.1", .distanceNotNumber), ("-73", "00000000000000025", .distanceNotNumber),
        ("-73", "-1", .distanceOutOfRange), ("-73", "10000.5", .distanceOutOfRange),
    ])
    func `RSSI and distances that cannot be are refused with their line`(
        _ rssi: String, _ distance: String, _ problem: WalkTestCSV.Failure.Problem
    ) {
        let text = Self.header + "2021-01-05 17:54:02,\(rssi),\(distance)\n"
        #expect(failure(text) == WalkTestCSV.Failure(line: 2, problem: problem))
    }

    @Test func `the limits of RSSI and distance themselves are read`() throws {
        let time = "2021-01-05 17:54:02"
        #expect(try readings(Self.header + "\(time),-127,0\n\(time),20,10000\n").count == 2)
    }

    @Test func `another header, field count or length of line is refused`() {
        #expect(failure("") == WalkTestCSV.Failure(line: 1, problem: .headerMissing))
        #expect(failure("time,rssi\n") == WalkTestCSV.Failure(line: 1, problem: .headerMissing))
        #expect(failure(Self.header) == WalkTestCSV.Failure(line: 1, problem: .noReadings))
        for line in ["2021-01-05 17:54:02,-73", "2021-01-05 17:54:02,-73,25,1", "x"] {
            #expect(failure(Self.header + line) == WalkTestCSV.Failure(line: 2, problem: .notThreeFields))
        }
        let long = String(repeating: "1", count: WalkTestCSV.longestLineBytes + 1)
        #expect(failure(Self.header + long) == WalkTestCSV.Failure(line: 2, problem: .lineTooLong))
        #expect(failure(long) == WalkTestCSV.Failure(line: 1, problem: .lineTooLong))
    }

    @Test func `an empty line between readings is refused`() {
        let text = Self.header + "2021-01-05 17:54:02,-73,25\n\n2021-01-05 17:54:02,-73,25\n"
        #expect(failure(text) == WalkTestCSV.Failure(line: 3, problem: .notThreeFields))
    }

    @Test func `more readings than the limit are refused`() {
        let line = "2021-01-05 17:54:02,-73,25\n"
        let bytes = Array(Self.header.utf8) + repeatElement(Array(line.utf8), count: 3).joined()
        #expect(throws: WalkTestCSV.Failure(line: 4, problem: .tooManyReadings)) {
            try WalkTestCSV.readings(in: bytes, mostReadings: 2)
        }
    }

    @Test func `any bytes give readings or a failure`() {
        var random = SplitMix64(state: 20_261_129)
        print("damaged files, seed 20261129")
        let file = Array(
            (Self.header + "2021-01-05 17:54:02.5+0000,-73.0,25\n2021-01-05 17:54:03,-74,26\n").utf8)
        var read = 0
        for _ in 0..<20_000 {
            var damaged = file
            for _ in 0..<Int.random(in: 0...3, using: &random) where !damaged.isEmpty {
                let index = Int.random(in: 0..<damaged.count, using: &random)
                switch Int.random(in: 0..<3, using: &random) {
                case 0: damaged[index] = UInt8.random(in: 0...255, using: &random)
                case 1: damaged.remove(at: index)
                default: damaged = Array(damaged.prefix(max(1, index)))
                }
            }
            do {
                let readings = try WalkTestCSV.readings(in: damaged)
                #expect(!readings.isEmpty)
                read += 1
            } catch { #expect(error.line >= 1 && error.line <= 4) }
        }
        #expect(read > 1_000)
    }
}
