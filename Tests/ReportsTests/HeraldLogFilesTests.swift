import Analysis
import Archive
import ArchiveTestSupport
import EncounterLog
import FixedMemory
import Foundation
import Testing

@testable import Reports

/// Herald's log files, byte by byte.
@Suite struct HeraldLogFilesTests {
    private let log = HeraldLogAssembly().log(of: HeraldWorld.history(), ownPayload: HeraldWorld.ownPayload)

    @Test func `contacts of the second generation have dates with a zone and eleven columns`() {
        #expect(
            HeraldWorld.text(.contacts, log) == """
                time,sensor,id,detect,read,measure,share,visit,detectHerald,delete,data
                2026-11-21 09:00:00.500+0000,BLE,0000000000000007/3,,,,,,6,,
                2026-11-21 09:00:00.500+0000,BLE,0000000000000007/3,,2,,,,,,AACwsL
                2026-11-21 09:00:00.900+0000,BLE,0000000000000007/3,,,3,,,,,RSSI:-55.0
                2026-11-21 09:00:01.005+0000,BLE,C0:00:00:00:0B:01,1,,,,,,,
                2026-11-21 09:00:01.500+0000,BLE,C0:00:00:00:0B:01,,,,,,6,,
                2026-11-21 09:00:01.500+0000,BLE,C0:00:00:00:0B:01,,2,,,,,,AAChHO
                2026-11-21 09:00:02.000+0000,BLE,C0:00:00:00:0B:02,1,,,,,,,
                2026-11-21 09:00:02.000+0000,BLE,C0:00:00:00:0B:02,,,3,,,,,RSSI:-0.4
                2026-11-21 09:00:02.000+0000,BLE,C0:00:00:00:0B:02,,,,,,,7,
                2026-11-21 09:00:09.000+0000,BLE,C0:00:00:00:0B:01,,,3,,,,,RSSI:-66.0[BLETransmitPower:8.0]
                2026-11-21 09:00:11.500+0000,BLE,C0:00:00:00:0B:01,,2,,,,,,AAChHO
                2026-11-21 09:00:12.000+0000,BLE,C0:00:00:00:0B:01,,2,,,,,,AACwsL
                2026-11-21 09:00:12.000+0000,BLE,C0:00:00:00:0B:01,,,3,,,,,RSSI:-70.5[BLETransmitPower:-12.0]
                2026-11-21 09:00:15.000+0000,BLE,C0:00:00:00:0B:01,,,3,,,,,RSSI:-103.2
                2026-11-21 09:00:15.000+0000,BLE,C0:00:00:00:0B:01,,,,,,,7,

                """)
    }

    @Test func `contacts of the first generation have seconds and nine columns`() {
        #expect(
            HeraldWorld.text(.contacts, log, .first) == """
                time,sensor,id,detect,read,measure,share,visit,data
                2026-11-21 09:00:00,BLE,0000000000000007/3,,2,,,,AACwsL
                2026-11-21 09:00:00,BLE,0000000000000007/3,,,3,,,RSSI:-55.0
                2026-11-21 09:00:01,BLE,C0:00:00:00:0B:01,1,,,,,
                2026-11-21 09:00:01,BLE,C0:00:00:00:0B:01,,2,,,,AAChHO
                2026-11-21 09:00:02,BLE,C0:00:00:00:0B:02,1,,,,,
                2026-11-21 09:00:02,BLE,C0:00:00:00:0B:02,,,3,,,RSSI:-0.4
                2026-11-21 09:00:09,BLE,C0:00:00:00:0B:01,,,3,,,RSSI:-66.0[BLETransmitPower:8.0]
                2026-11-21 09:00:11,BLE,C0:00:00:00:0B:01,,2,,,,AAChHO
                2026-11-21 09:00:12,BLE,C0:00:00:00:0B:01,,2,,,,AACwsL
                2026-11-21 09:00:12,BLE,C0:00:00:00:0B:01,,,3,,,RSSI:-70.5[BLETransmitPower:-12.0]
                2026-11-21 09:00:15,BLE,C0:00:00:00:0B:01,,,3,,,RSSI:-103.2

                """)
    }

    @Test func `RSSI rows have a peer, a value and a transmit power`() {
        #expect(
            HeraldWorld.text(.rssi, log) == """
                time,id,rssi,txpower
                2026-11-21 09:00:00.900+0000,0000000000000007/3,-55.0,
                2026-11-21 09:00:02.000+0000,C0:00:00:00:0B:02,-0.4,
                2026-11-21 09:00:09.000+0000,C0:00:00:00:0B:01,-66.0,8.0
                2026-11-21 09:00:12.000+0000,C0:00:00:00:0B:01,-70.5,-12.0
                2026-11-21 09:00:15.000+0000,C0:00:00:00:0B:01,-103.2,

                """)
    }

    @Test func `encounters are measurements of peers with a complete payload`() {
        #expect(
            HeraldWorld.text(.encounters, log) == """
                time,proximity,unit,payload
                2026-11-21 09:00:00,-55.0,RSSI,,,EDoDAACwsLAC
                2026-11-21 09:00:09,-66.0,RSSI,8.0,BLETransmitPower,EDoDAAChHOAB
                2026-11-21 09:00:12,-70.5,RSSI,-12.0,BLETransmitPower,EDoDAACwsLAC
                2026-11-21 09:00:15,-103.2,RSSI,,,EDoDAACwsLAC

                """)
    }

    @Test func `detection has no control characters of a board's name`() {
        var history = HeraldWorld.history()
        history.name = "Foyer\u{1b}[2J\u{202e}"
        let log = HeraldLogAssembly().log(of: history, ownPayload: HeraldWorld.ownPayload)
        #expect(HeraldWorld.text(.detection, log).hasPrefix("Foyer?[2J?,Linux,"))
    }

    @Test func `detection has the board's own payload and those of its contacts`() {
        #expect(HeraldWorld.text(.detection, log) == "\"Foyer, East\",Linux,0.1.8,BABA4g,AAChHO,AACwsL\n")
    }

    @Test func `a board without a name gets a name that is not a number`() {
        let log = HeraldLogAssembly().log(of: BoardHistory(board: SampleWorld.board, name: nil, boots: []))
        #expect(HeraldWorld.text(.detection, log).hasPrefix("Tabard \(SampleWorld.board.short),Linux,"))
    }

    @Test func `a board with an unknown payload has no own name`() {
        let log = HeraldLogAssembly().log(of: HeraldWorld.history())
        #expect(HeraldWorld.text(.detection, log) == "\"Foyer, East\",Linux,0.1.8,,AAChHO,AACwsL\n")
    }

    @Test func `HP-D06: a board whose identity changed has the name of the first one in the time range`() {
        let history = HeraldWorld.changingHistory
        #expect(HeraldLogAssembly().log(of: history).ownName == "AAChHO")
        let later = HeraldLogAssembly(since: HeraldWorld.morning + 400_000)
        #expect(later.log(of: history).ownName == "AACwsL")
        let silent = HeraldLogAssembly(
            since: HeraldWorld.morning + 800_000,
            until: HeraldWorld.morning + 900_000)
        #expect(silent.log(of: history).ownName == nil)
    }

    @Test func `HP-D06: all identities of one board appear as the first of them on request`() {
        var assembly = HeraldLogAssembly()
        assembly.names.unite(assembly.ownPayloads(of: HeraldWorld.changingHistory))
        let log = assembly.log(of: HeraldWorld.history())
        #expect(log.payloads.map(\.bytes) == [HeraldWorld.alice.payload])
        #expect(HeraldWorld.text(.detection, log).hasSuffix(",AAChHO\n"))
        #expect(!HeraldWorld.text(.contacts, log).contains("AACwsL"))
    }

    @Test func `a payload that two boards served stands for itself`() {
        var names = HeraldNames()
        names.unite([[1], [2], [3]])
        names.unite([[4], [2]])
        #expect(names.payload(standingFor: [3]) == [1])
        #expect(names.payload(standingFor: [2]) == [2])
        #expect(names.payload(standingFor: [4]) == [4])
    }

    @Test func `each shared payload has a row`() {
        var history = HeraldWorld.changingHistory
        history.boots[0].tracks = [
            RecordedTrack(number: 1, firstSighting: 2_000, address: HeraldWorld.address(1))
        ]
        let shared = HeraldWorld.bob.payload + HeraldWorld.alice.payload
        history.boots[0].messages = [
            PeerMessage(
                instant: 3_000, track: 1, content: .sharedPayloads(shared, rssiDBm: -60)),
            // The length is not a multiple of the own payload's, so the payloads cannot be separated.
            PeerMessage(
                instant: 4_000, track: 1, content: .sharedPayloads([1, 2], rssiDBm: nil)),
            PeerMessage(instant: 5_000, track: 1, content: .immediate(shared)),
        ]
        let rows = HeraldWorld.text(.contacts, HeraldLogAssembly().log(of: history)).split(separator: "\n")
        #expect(
            rows.filter { $0.contains(",4,") } == [
                "2026-11-21 09:00:03.000+0000,BLE,C0:00:00:00:0B:01,,,,4,,,,AACwsL",
                "2026-11-21 09:00:03.000+0000,BLE,C0:00:00:00:0B:01,,,,4,,,,AAChHO",
            ])
    }

    @Test func `the board's own payload is not a contact`() {
        let log = HeraldLogAssembly().log(of: HeraldWorld.history(), ownPayload: HeraldWorld.bob.payload)
        #expect(HeraldWorld.text(.detection, log) == "\"Foyer, East\",Linux,0.1.8,AACwsL,AAChHO\n")
        #expect(!HeraldWorld.text(.statistics, log).contains("AACwsL"))
    }

    @Test func `statistics cover the intervals between events of a payload`() {
        // AAChHO: read 1.5, measured 9, read 11.5. AACwsL: read 0.5, measured 0.9, read 12, measured 12 and
        // 15.
        let lines = HeraldWorld.text(.statistics, log).split(separator: "\n").map(String.init)
        #expect(lines[0] == "payload,count,mean,sd,min,max")
        #expect(lines[1] == "AAChHO,2,5.0,3.5355339059327378,2.5,7.5")
        let second = lines[2].split(separator: ",")
        #expect(second[0] == "AACwsL")
        #expect(second[1] == "4")
        #expect(abs((Double(second[2]) ?? 0) - 3.625) < 1e-9)
        #expect(second[4] == "0.0")
        #expect(second[5] == "11.1")
        #expect(lines.count == 3)
    }

    @Test func `the battery's charge has its source`() {
        var history = HeraldWorld.changingHistory
        let readings: [BatteryReading] = [
            BatteryReading(percent: 87, state: .discharging, isLow: false),
            BatteryReading(percent: nil, millivolts: 3_900, isLow: false),
            BatteryReading(percent: 88, state: .charging, isLow: false),
        ]
        history.boots[0].batteryReadings = zip([1_000, 61_000, 121_000], readings).map {
            BatteryEntry(instant: $0, reading: $1)
        }
        #expect(
            HeraldWorld.text(.battery, HeraldLogAssembly().log(of: history)) == """
                time,source,level
                2026-11-21 09:00:01.000+0000,battery,87.0
                2026-11-21 09:02:01.000+0000,external,88.0

                """)
        #expect(HeraldWorld.text(.battery, log) == "time,source,level\n")
    }

    @Test func `statistics of reads need two intervals`() {
        #expect(
            HeraldWorld.text(.statisticsOfReads, log) == "event,central,peripheral,count,mean,sd,min,max\n")
        var log = log
        log.rows += [20, 30, 50].map {
            HeraldLogRow(time: HeraldWorld.morning + .seconds($0), device: 0, content: .read(0))
        }
        let lines = HeraldWorld.text(.statisticsOfReads, log).split(separator: "\n")
        #expect(lines.count == 2)
        #expect(lines[1].hasPrefix("read,BABA4g,AAChHO,4,"))
    }

    @Test func `times may be in another zone and then name it`() throws {
        let berlin = try #require(TimeZone(identifier: "Europe/Berlin"))
        #expect(
            HeraldWorld.text(.contacts, log, zone: LocalZone(berlin))
                .contains("\n2026-11-21 10:00:01.005+0100,BLE,")
        )
        #expect(
            HeraldWorld.text(.contacts, log, .first, zone: LocalZone(berlin))
                .contains("\n2026-11-21 10:00:01,"))
        let newfoundland = try #require(TimeZone(identifier: "America/St_Johns"))
        #expect(
            HeraldWorld.text(.contacts, log, zone: LocalZone(newfoundland))
                .contains("\n2026-11-21 05:30:01.005-0330,BLE,"))
    }

    @Test func `the offset changes with daylight saving time`() throws {
        let berlin = try #require(TimeZone(identifier: "Europe/Berlin"))
        var time = HeraldTimeText(zone: LocalZone(berlin))
        // 2026-10-25T00:59:59.999Z, and one millisecond later.
        let texts = ([1_792_889_999_999, 1_792_890_000_000] as [WallClockTime]).map { instant in
            var text: [UInt8] = []
            time.append(instant, generation: .second, to: &text)
            return String(decoding: text, as: UTF8.self)
        }
        #expect(texts == ["2026-10-25 02:59:59.999+0200", "2026-10-25 02:00:00.000+0100"])
    }

    @Test func `encounters are left out completely or not at all`() {
        let history = HeraldWorld.history()
        let late = HeraldLogAssembly(since: HeraldWorld.morning + 14_000).log(of: history)
        #expect(late.devices == ["C0:00:00:00:0B:01"])
        #expect(late.rows.count == 9)
        let early = HeraldLogAssembly(until: HeraldWorld.morning + 1_000).log(of: history)
        #expect(early.devices == ["0000000000000007/3"])
        #expect(early.rows.count == 3)
    }

    @Test func `with raw readings, each reading is a row`() {
        var history = HeraldWorld.history()
        // The readings of Alice's first sample, and one reading of a lost sample.
        history.boots[0].tracks[0].readings = [(1_005, -66), (4_000, -70), (9_000, -62), (9_050, -127)].map {
            Reading(time: Instant(milliseconds: $0), rssiDBm: $1)
        }
        let lines = HeraldWorld.text(.rssi, HeraldLogAssembly().log(of: history))
            .split(separator: "\n").filter { $0.contains("C0:00:00:00:0B:01") }
        #expect(
            lines == [
                "2026-11-21 09:00:01.005+0000,C0:00:00:00:0B:01,-66.0,8.0",
                "2026-11-21 09:00:04.000+0000,C0:00:00:00:0B:01,-70.0,8.0",
                "2026-11-21 09:00:09.000+0000,C0:00:00:00:0B:01,-62.0,8.0",
                "2026-11-21 09:00:09.050+0000,C0:00:00:00:0B:01,-127.0,",
                // Samples whose readings are lost become measurements themselves.
                "2026-11-21 09:00:12.000+0000,C0:00:00:00:0B:01,-70.5,-12.0",
                "2026-11-21 09:00:15.000+0000,C0:00:00:00:0B:01,-103.2,",
            ])
    }

    @Test func `events without a wall time are left out and counted`() { #expect(log.undatedTrackCount == 1) }

    @Test func `extreme numbers are written`() {
        var history = HeraldWorld.history()
        let latest = Instant(milliseconds: 1 << 52)
        history.boots[0].tracks = [
            RecordedTrack(
                number: 1, firstSighting: latest, address: HeraldWorld.address(1),
                samples: [
                    HeraldWorld.sample(latest, .start, .infinity, txPower: .max),
                    HeraldWorld.sample(.start, latest, -.greatestFiniteMagnitude, txPower: .min),
                ])
        ]
        let text = HeraldWorld.text(.contacts, HeraldLogAssembly().log(of: history))
        #expect(text.split(separator: "\n").count == 4)
        #expect(text.contains("9999-12-31 23:59:59"))
    }
}
