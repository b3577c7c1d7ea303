import Archive
import ArchiveTestSupport
import EncounterLog
import FixedMemory
import Foundation
import TestSupport
import Testing

@testable import Reports

@Suite struct EncounterDocumentTests {
    private func objects() throws -> [[String: Any]] {
        let data = try EncounterDocument.json(SampleWorld.model().encounters.map(\.summary))
        return try PrintedList.rows(data, "encounters", schema: "tabard-encounters-1")
    }

    @Test func `every encounter has every field`() throws {
        let fields: Set = [
            "board", "scheme", "identity", "identityMarks", "label", "extended", "start", "end",
            "durationSeconds",
            "clockErrorSeconds",
            "startErrorSeconds", "endErrorSeconds", "clockBasis", "notBefore", "notAfter", "readings",
            "samples", "rssi", "addresses", "pseudoAddresses", "model", "manufacturer", "boots",
            "latitude", "longitude", "isClaimed", "writtenReadings", "ownBoards", "personName",
        ]
        let objects = try objects()
        #expect(objects.count == 10)
        for object in objects {
            #expect(Set(object.keys) == fields)
            let rssi = try #require(object["rssi"] as? [String: Any])
            #expect(Set(rssi.keys) == ["minimum", "maximum", "mean"])
        }
    }

    @Test func `the first encounter is written as documented`() throws {
        let first = try #require(try objects().first)
        #expect(first["board"] as? String == "404142434445464748494a4b4c4d4e4f")
        #expect(first["scheme"] as? String == "herald")
        #expect((first["identity"] as? String)?.hasPrefix("103a030000") == true)
        #expect(first["start"] as? String == "2026-11-21T09:03:00.000Z")
        #expect(first["end"] as? String == "2026-11-21T09:41:00.000Z")
        #expect(first["durationSeconds"] as? Double == 2_280)
        // The board's clock was read at 09:00 within 40 ms, and a quartz may be off by 100 ppm.
        #expect(first["startErrorSeconds"] as? Double == 0.058)
        #expect(first["endErrorSeconds"] as? Double == 0.286)
        #expect(first["clockErrorSeconds"] as? Double == 0.286)
        #expect(first["clockBasis"] as? String == "host")
        #expect(first["notBefore"] is NSNull && first["notAfter"] is NSNull)
        #expect(first["addresses"] as? [String] == ["46:05:04:03:02:01"])
        #expect(first["boots"] as? Int == 1)
    }

    @Test func `unknown values are null`() throws {
        let objects = try objects()
        let unidentified = try #require(objects.first { $0["identity"] is NSNull })
        #expect(unidentified["scheme"] is NSNull)
        let clockless = try #require(objects.last)
        #expect(clockless["start"] is NSNull && clockless["end"] is NSNull)
        #expect(clockless["clockErrorSeconds"] is NSNull)
        #expect(clockless["startErrorSeconds"] is NSNull && clockless["endErrorSeconds"] is NSNull)
        #expect(clockless["clockBasis"] as? String == "none")
        // This boot follows one whose last moment was at 11:00.
        #expect((clockless["notBefore"] as? String)?.hasPrefix("2026-11-21T11:0") == true)
        #expect(clockless["notAfter"] is NSNull)
        #expect(clockless["durationSeconds"] as? Double == 780)
        #expect(clockless["latitude"] is NSNull && clockless["longitude"] is NSNull)
    }

    @Test func `the board's position is in degrees`() throws {
        var encounter = try #require(SampleWorld.model().encounters.first)
        encounter.summary.position = GeographicPosition(
            latitudeMicrodegrees: 51_507_351, longitudeMicrodegrees: -127_758)
        let document = EncounterDocument(encounter.summary)
        #expect(document.latitude == 51.507351 && document.longitude == -0.127758)
        #expect(EncounterCSV.text([encounter]).hasSuffix(",51.507351,-0.127758,false,0,,\r\n"))
    }

    @Test func `a list names its schema, and has each row as it is alone`() throws {
        let encounters = SampleWorld.model().encounters.map(\.summary)
        for count in [0, 1, encounters.count] {
            let data = try EncounterDocument.json(Array(encounters.prefix(count)))
            let document = try #require(JSONSerialization.jsonObject(with: data) as? [String: Any])
            #expect(document["schema"] as? String == "tabard-encounters-1")
            let rows = try #require(document["encounters"] as? [NSDictionary])
            let alone = try encounters.prefix(count).map {
                try JSONSerialization.jsonObject(with: PrintedJSON.data(EncounterDocument($0)))
                    as? NSDictionary
            }
            #expect(rows == alone)
        }
    }

    @Test func `an encounter with a board of the archive names it`() throws {
        let encounter = try #require(SampleWorld.model().encounters.first { $0.identity != nil })
        let identity = try #require(encounter.identity)
        let boards = OwnBoards([
            ServedIdentities(board: encounter.board, label: "Badge, 2", identities: [identity])
        ])
        #expect(EncounterDocument(encounter.summary, among: boards).ownBoards == ["Badge, 2"])
        let line = String(decoding: EncounterCSV.line(of: encounter.summary, among: boards), as: UTF8.self)
        #expect(line.hasSuffix(",\"Badge, 2\",\r\n"))
        #expect(EncounterDocument(encounter.summary).ownBoards.isEmpty)
    }

    @Test func `no encounters give an empty array`() throws {
        let text = String(decoding: try EncounterDocument.json([]), as: UTF8.self)
        #expect(text.filter { !$0.isWhitespace } == #"{"schema":"tabard-encounters-1","encounters":[]}"#)
    }

    @Test func `a list of two words has its rows in a member in camel case`() throws {
        struct Visit: PrintedRow {
            static let schema = PrintedSchema("common-visits", version: 2)
        }
        let text = String(decoding: try PrintedJSON.data(rows: [Visit()]), as: UTF8.self)
        #expect(
            text.filter { !$0.isWhitespace } == #"{"schema":"tabard-common-visits-2","commonVisits":[{}]}"#)
    }
}

@Suite struct EncounterCSVTests {
    @Test(arguments: [
        ("plain", "plain"), ("a,b", "\"a,b\""), ("say \"hi\"", "\"say \"\"hi\"\"\""),
        ("two\nlines", "\"two\nlines\""),
        ("two\r\nlines", "\"two\r\nlines\""), ("", ""), ("=SUM(A1)", "'=SUM(A1)"), ("-65.5", "-65.5"),
        ("@x,y", "\"'@x,y\""),
    ])
    func `cells are quoted where necessary`(text: String, field: String) {
        #expect(CSVLine([text, "-"]).text == "\(field),'-\r\n")
    }

    @Test func `a table has a header and a line per encounter`() {
        let lines = EncounterCSV.text(SampleWorld.model().encounters).components(separatedBy: "\r\n")
        #expect(lines.count == 1 + 10 + 1)
        #expect(lines[0] == EncounterCSV.columns.joined(separator: ","))
        #expect(lines[1].hasPrefix("404142434445464748494a4b4c4d4e4f,herald,103a030000"))
    }
}

@Suite struct TimeTextTests {
    @Test func `times are in the zone and name it`() throws {
        let summer: WallClockTime = 1_782_000_000_000
        let zone = try #require(TimeZone(identifier: "Europe/London"))
        let london = TimeText(timeZone: zone, reference: summer)
        #expect(london.dateAndTime(summer) == "2026-06-21 01:00:00")
        #expect(london.zoneName == "Europe/London (UTC+01:00)")
        #expect(TimeText(timeZone: .gmt).zoneName == "UTC")
        #expect(TimeText.utc(summer + 7) == "2026-06-21T00:00:00.007Z")
    }

    @Test func `a time for programs is that of the calendar, in any year`() {
        var generator = SeededGenerator(seed: 1)
        for _ in 0..<2_000 {
            let magnitude = Int.random(in: 0...20, using: &generator)
            let latest = UInt64(1 << 52) >> magnitude
            let time = WallClockTime(milliseconds: .random(in: 0...latest, using: &generator))
            let text = TimeText(zone: .utc, reference: time)
            let fraction = String(1_000 + time.milliseconds % 1_000).dropFirst()
            #expect(TimeText.utc(time) == "\(text.date(time))T\(text.time(time)).\(fraction)Z")
        }
    }

    @Test(arguments: [
        (0, "0 s"), (59_499, "59 s"), (60_000, "1 min"), (754_000, "12 min 34 s"), (3_600_000, "1 h"),
        (12_000_000, "3 h 20 min"), (187_200_000, "2 d 4 h"),
    ])
    func `durations have at most two units`(milliseconds: UInt64, text: String) {
        #expect(TimeText.duration(.milliseconds(milliseconds)) == text)
    }

    @Test func `relative times count from the boot`() {
        #expect(TimeText.relative(725_000 as TimelinePoint) == "+00:12:05")
        #expect(TimeText.relative(-1_000 as TimelinePoint) == "-00:00:01")
    }
}

@Suite struct TimeAxisTests {
    @Test(arguments: [10_000, 600_000, 7_200_000, 86_400_000, 30 * 86_400_000] as [UInt64])
    func `tick marks are few, round and inside the axis`(span: UInt64) {
        let start: TimelinePoint = 1_795_251_623_456
        let axis = TimeAxis(
            covering: start...start + .milliseconds(span), left: 100, width: 800,
            clock: TimeText(timeZone: .gmt),
            tickCount: 8)
        #expect((3...10).contains(axis.ticks.count))
        #expect(axis.ticks.allSatisfy { $0.x >= 100 && $0.x <= 900 })
        #expect(axis.x(start) > 100 && axis.x(start + .milliseconds(span)) < 900)
    }

    @Test func `no label of an axis touches another one`() {
        for offset in stride(from: 0, to: 60_000, by: 500) as StrideTo<Int64> {
            let start = TimelinePoint(milliseconds: 1_795_251_600_000 + offset)
            let axis = TimeAxis(
                covering: start...start + .seconds(17), left: 40, width: 250,
                clock: TimeText(timeZone: .gmt), tickCount: 4)
            let edges = axis.ticks.compactMap { (tick) -> (start: Double, end: Double)? in
                guard let label = tick.label else { return nil }
                let width = Double(label.count) * 6.5
                let shifts = ["start": 0, "middle": width / 2, "end": width]
                let shift = shifts[axis.anchor(of: tick), default: 0]
                return (start: tick.x - shift, end: tick.x - shift + width)
            }
            #expect(edges.count >= 2)
            for (edge, next) in zip(edges, edges.dropFirst()) { #expect(edge.end < next.start) }
        }
    }

    @Test func `an axis of a single moment has a width`() {
        let axis = TimeAxis(covering: 5...5, left: 0, width: 100, clock: nil, tickCount: 4)
        #expect(axis.x(5) >= 0 && axis.x(5) <= 100)
    }
}

@Suite struct TimeArgumentTests {
    private let now: WallClockTime = 1_795_262_400_000

    @Test(arguments: [
        ("2026-11-21", 1_795_219_200_000), ("2026-11-21 09:30", 1_795_253_400_000),
        ("2026-11-21T09:30:05Z", 1_795_253_405_000), ("2026-11-21T09:30:05.25Z", 1_795_253_405_250),
        ("2026-11-21T10:30+01:00", 1_795_253_400_000), ("2h", 1_795_255_200_000),
        ("30min", 1_795_260_600_000),
    ])
    func `valid times are understood`(text: String, milliseconds: UInt64) {
        #expect(TimeArgument.time(text, now: now, zone: .utc)?.milliseconds == milliseconds)
    }

    @Test(arguments: [
        "", "yesterday", "2026-13-01", "2026-02-31", "21.11.2026", "2026-11-21T25:00", "12", "-2h",
    ])
    func `invalid times are refused`(text: String) {
        #expect(TimeArgument.time(text, now: now, zone: .utc) == nil)
    }

    @Test func `durations are in seconds unless they have a unit`() {
        #expect(TimeArgument.span("90") == 90_000)
        #expect(TimeArgument.span("10m") == 600_000)
        #expect(TimeArgument.span("ten") == nil)
    }
}

@Suite struct RefusalDocumentTests {
    private static func refusals() -> [RefusalSummary] {
        var history = SampleWorld.history()
        for index in [0, 2] {
            history.boots[index].refusedIdentities = [
                RefusedIdentity(
                    instant: .start + 5 * SampleWorld.minute, scheme: SchemeCode(.sonar),
                    reason: .notOfNow,
                    bytes: [1]),
                RefusedIdentity(
                    instant: .start + 6 * SampleWorld.minute, scheme: SchemeCode(.sonar),
                    reason: .notOfNow,
                    bytes: [2]),
            ]
        }
        return RefusalSummary.inOrder(RefusalSummary.all(of: history, matching: EncounterFilter()))
    }

    @Test func `every refusal has every field, and unknown values are null`() throws {
        let data = try RefusalDocument.json(Self.refusals())
        let objects = try PrintedList.rows(data, "refusals", schema: "tabard-refusals-1")
        #expect(objects.count == 2)
        for object in objects {
            #expect(
                Set(object.keys) == [
                    "board", "scheme", "reason", "count", "first", "last", "clockErrorSeconds", "boot",
                ])
            #expect(object["scheme"] as? String == "sonar" && object["reason"] as? String == "notOfNow")
            #expect(object["count"] as? Int == 2)
        }
        #expect(objects[0]["first"] as? String == "2026-11-21T09:05:00.000Z")
        #expect(objects[0]["last"] as? String == "2026-11-21T09:06:00.000Z")
        #expect(objects[0]["boot"] is NSNull)
        #expect(objects[1]["first"] is NSNull && objects[1]["clockErrorSeconds"] is NSNull)
        #expect(objects[1]["boot"] as? String == "9999aaaabbbbcccc")
    }

    @Test func `CSV has a header and a line per refusal`() {
        let lines = RefusalDocument.csv(Self.refusals()).components(separatedBy: "\r\n")
        #expect(lines[0] == "board,scheme,reason,count,first,last,clock_error_seconds,boot")
        #expect(lines[1].contains(",sonar,notOfNow,2,2026-11-21T09:05:00.000Z,2026-11-21T09:06:00.000Z,"))
        #expect(lines[2].hasSuffix(",sonar,notOfNow,2,,,,9999aaaabbbbcccc"))
        #expect(lines.count == 4 && lines[3].isEmpty)
    }

    @Test func `a report has the refusals, and no section without any`() {
        var model = SampleWorld.model()
        #expect(!HTMLReport(model).html().contains("Refused identities"))
        model.refusals = Self.refusals()
        let html = HTMLReport(model).html()
        #expect(html.contains("Refused identities"))
        #expect(
            html.contains(
                "<td>sonar</td><td>its time differs from the time of reading</td><td class=\"n\">2</td>"))
        #expect(html.contains("<span class=\"relative\">"))
    }
}
