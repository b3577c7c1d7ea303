import TestSupport
import Testing

@testable import Analysis

@Suite struct ContactsReaderTests {
    private static let ofFirstGeneration = """
        time,sensor,id,detect,read,measure,share,visit,data
        2020-12-08 22:55:02,BLE,6B5BFE4E-916D,1,,,,,
        2020-12-08 22:55:02,BLE,6B5BFE4E-916D,,2,,,,EVoqIA
        2020-12-08 22:55:03,BLE,78:68:06:DE:ED:7F,,,3,,,RSSI:-78.0[BLETransmitPower:12.0]
        2020-12-08 22:55:04,BLE,D74D2A62-B970,,,,4,,aq0oUQ
        2020-12-08 22:55:05,BLE,,,,,,5,"Here, or "there""

        """

    private static let ofSecondGeneration = """
        time,sensor,id,detect,read,measure,share,visit,detectHerald,delete,data
        2022-11-29 22:21:56.552+0000,BLE,AA,1,,,,,,,
        2022-11-29 22:21:57.001+0000,BLE,AA,,,,,,6,,
        2022-11-29 22:21:57.002+0000,BLE,AA,,2,,,,,,AayC8A
        2022-11-29 22:21:57.003+0000,BLE,AA,,,3,,,,,RSSI:-66.0[BLETransmitPower:8.0]
        2022-11-29 22:23:00.000+0000,BLE,AA,,,,,,,7,
        """

    @Test func `rows of the first generation are read`() throws {
        let rows = try ContactsText(Self.ofFirstGeneration).rows
        #expect(rows.map(\.event) == [.detect, .read, .measure, .share, .visit])
        #expect(
            rows.map(\.data) == [
                "", "EVoqIA", "RSSI:-78.0[BLETransmitPower:12.0]", "aq0oUQ", #"Here, or "there""#,
            ])
        #expect(rows[2].device == "78:68:06:DE:ED:7F")
        #expect(rows.map(\.seconds) == [2, 2, 3, 4, 5].map { secondOfTest("22:55:0\($0)") })
    }

    @Test func `rows of the second generation are read`() throws {
        let rows = try ContactsText(Self.ofSecondGeneration).rows
        #expect(rows.map(\.event) == [.detect, .detectHerald, .read, .measure, .delete])
        #expect(rows.map(\.device) == Array(repeating: "AA", count: 5))
    }

    @Test(arguments: [1, 2, 3, 7, 64, 1_000])
    func `the result does not depend on where the file is cut into pieces`(_ byteCount: Int) throws {
        for text in [Self.ofFirstGeneration, Self.ofSecondGeneration] {
            let whole = try ContactsText(text)
            let pieces = try ContactsText(text, pieceByteCount: byteCount)
            #expect(pieces.rows == whole.rows)
            #expect(pieces.malformedLineCount == 0)
        }
    }

    @Test func `lines may end in carriage returns, as on other systems`() throws {
        let text = Self.ofFirstGeneration.replacing("\n", with: "\r\n")
        #expect(try ContactsText(text).rows == ContactsText(Self.ofFirstGeneration).rows)
    }

    @Test func `a byte order mark before the header is skipped`() throws {
        let rows = try ContactsText("\u{feff}" + Self.ofFirstGeneration).rows
        #expect(rows == (try ContactsText(Self.ofFirstGeneration).rows))
    }

    @Test(arguments: [";", "\t"])
    func `fields may be separated as spreadsheets of other countries do`(_ separator: String) throws {
        let text = Self.ofSecondGeneration.replacing(",", with: separator)
        #expect(try ContactsText(text).rows == ContactsText(Self.ofSecondGeneration).rows)
    }

    @Test func `dates and times may be joined by a T`() throws {
        let text = Self.ofFirstGeneration.replacing("2020-12-08 ", with: "2020-12-08T")
        #expect(try ContactsText(text).rows == ContactsText(Self.ofFirstGeneration).rows)
    }

    @Test(arguments: [[0xff, 0xfe], [0xfe, 0xff]] as [[UInt8]])
    func `text in UTF-16 is named`(_ mark: [UInt8]) {
        #expect(throws: ContactsError.utf16) { try ContactsText(mark + Array("t\0i\0m\0e\0\n\0".utf8)) }
    }

    @Test(arguments: [
        "2020-12-08 22:55:02,BLE,AA,1,,,,", "2020-12-08 22:55:02,BLE,AA,1,,,,,,", "yesterday,BLE,AA,1,,,,,",
        "2020-12-08 22:55:02,BLE,AA,,,,,,", "2020-12-08 22:55:02,BLE,AA,2,,,,,", "x", "\"", ",,,,,,,,",
    ])
    func `a malformed line is counted and costs no other line`(_ line: String) throws {
        let lines = Self.ofFirstGeneration.split(separator: "\n").map(String.init)
        let text = try ContactsText((lines.prefix(3) + [line] + lines.dropFirst(3)).joined(separator: "\n"))
        #expect(text.rows.count == 5)
        #expect(text.malformedLineCount == 1)
        #expect(text.firstMalformedLine == 4)
    }

    @Test func `an endless line takes no memory and costs no other line`() throws {
        let text =
            Self.ofFirstGeneration + String(repeating: "x", count: 200_000) + "\n" + Self.ofFirstGeneration
        let read = try ContactsText(text, pieceByteCount: 4_096)
        #expect(read.rows.count == 10)
        // The endless line, and the second header.
        #expect(read.malformedLineCount == 2)
    }

    @Test func `a file without a header is refused`() {
        #expect(throws: ContactsError.empty) { try ContactsText("") }
        #expect(throws: ContactsError.notContacts(missingColumn: "time")) { try ContactsText("RIFF....") }
        #expect(throws: ContactsError.notContacts(missingColumn: "measure")) {
            try ContactsText("time,sensor,id,detect,read,share,visit,data\n")
        }
        #expect(throws: ContactsError.notContacts(missingColumn: "time")) {
            try ContactsText(String(repeating: "x", count: 100_000))
        }
    }

    @Test func `a file that is cut short anywhere is read`() throws {
        let bytes = Array(Self.ofSecondGeneration.utf8)
        let whole = try ContactsText(bytes).rows
        let headerByteCount = Self.ofSecondGeneration.prefix { $0 != "\n" }.utf8.count
        for count in headerByteCount...bytes.count {
            let cut = try ContactsText(Array(bytes.prefix(count)))
            #expect(whole.starts(with: cut.rows.dropLast()))
            #expect(cut.malformedLineCount <= 1)
        }
    }

    @Test func `any bytes give rows, a count or an error`() throws {
        let seed = UInt64.random(in: 0...UInt64.max)
        var generator = SeededGenerator(seed: seed)
        for _ in 0..<300 {
            var bytes = Array(Self.ofSecondGeneration.utf8)
            for _ in 0..<Int.random(in: 1...20, using: &generator) {
                let index = Int.random(in: 0..<bytes.count, using: &generator)
                switch Int.random(in: 0..<3, using: &generator) {
                case 0: bytes[index] = UInt8.random(in: 0...255, using: &generator)
                case 1: bytes.remove(at: index)
                default: bytes.insert(Array("\",\n\r".utf8).randomElement(using: &generator) ?? 0, at: index)
                }
            }
            do throws(ContactsError) {
                let whole = try ContactsText(bytes)
                let pieces = try ContactsText(bytes, pieceByteCount: 5)
                #expect(whole.rows == pieces.rows, "seed \(seed)")
            } catch .notContacts {
                continue
            } catch .utf16 {
                continue
            } catch .empty {
                Issue.record("seed \(seed): there is a header")
            }
        }
    }
}

@Suite struct HeraldCSVTests {
    @Test(arguments: [
        ("plain", "plain"), ("a,b", "\"a,b\""), ("say \"so\"", "\"say \"so\"\""), ("", ""),
        ("Anna's", "\"Anna's\""), ("No. #3", "\"No. #3\""), ("two\nlines", "two lines"),
    ])
    func `fields are quoted as Herald quotes them`(_ text: String, _ field: String) {
        #expect(HeraldCSV.field(text) == field)
    }

    @Test func `a written file can be read back`() {
        let fields = ["a,b", "say \"so\"", "", "Anna's", "plain", ""]
        let line = HeraldCSV.line(fields)
        #expect(HeraldCSV.fields(Array(line.utf8).dropLast()) == fields)
    }
}
