import Testing

@testable import QRCodes

/// Tests/Rig/test_payload.py shows that another program can read the codes.
@Suite struct QRCodeTests {
    @Test(arguments: [("tabard:herald/1/MDoDBABA4gEA", 29), ("a", 21)])
    func `The smallest code that holds a text`(text: String, width: Int) throws {
        #expect(try QRCode(text).width == width)
    }

    @Test func `More correction takes more room`() throws {
        let text = String(repeating: "herald", count: 20)
        #expect(try QRCode(text, correction: .medium).width < QRCode(text, correction: .quartile).width)
    }

    @Test func `Every size has its finders in three corners, its timing, and its dark module`() throws {
        for length in stride(from: 1, through: 1_663, by: 41) {
            let code = try QRCode(String(repeating: "x", count: length))
            #expect((21...177).contains(code.width) && code.width % 4 == 1)
            let far = code.width - 7
            for (left, top) in [(0, 0), (far, 0), (0, far)] {
                for row in 0..<7 {
                    for column in 0..<7 {
                        let ring = min(min(row, column), min(6 - row, 6 - column))
                        #expect(code.isDark(column: left + column, row: top + row) == (ring != 1))
                    }
                }
            }
            for place in 8..<code.width - 8 {
                #expect(code.isDark(column: place, row: 6) == place.isMultiple(of: 2))
                #expect(code.isDark(column: 6, row: place) == place.isMultiple(of: 2))
            }
            #expect(code.isDark(column: 8, row: code.width - 8))
        }
    }

    @Test func `Around a code everything is light`() throws {
        let code = try QRCode("a")
        for place in -4..<25 {
            #expect(!code.isDark(column: place, row: -1) && !code.isDark(column: place, row: code.width))
            #expect(!code.isDark(column: -1, row: place) && !code.isDark(column: code.width, row: place))
        }
    }

    @Test func `A text that no code can contain is refused`() throws {
        #expect(try QRCode(String(repeating: "x", count: 1_663)).width == 177)
        #expect(throws: QRCodeError.tooLong) { _ = try QRCode(String(repeating: "x", count: 1_664)) }
        #expect(throws: QRCodeError.notEncodable) { _ = try QRCode("") }
        #expect(throws: QRCodeError.notEncodable) { _ = try QRCode("a\0b") }
    }

    @Test(arguments: [false, true])
    func `Half blocks draw each module, and the quiet zone`(isInverted: Bool) throws {
        let code = try QRCode("tabard:herald/1/MDoDBABA4gEA")
        let lines = code.text(isInverted: isInverted).split(separator: "\n", omittingEmptySubsequences: false)
        #expect(lines.last == "")
        #expect(lines.count - 1 == (code.width + 2 * QRCode.quietZone + 1) / 2)
        for (index, line) in lines.dropLast().enumerated() {
            #expect(line.count == code.width + 2 * QRCode.quietZone)
            for (offset, character) in line.enumerated() {
                let column = offset - QRCode.quietZone
                let row = 2 * index - QRCode.quietZone
                let isUpperInked = "█▀".contains(character)
                #expect(isUpperInked == (code.isDark(column: column, row: row) == isInverted))
                guard row + 1 < code.width + QRCode.quietZone else { continue }
                let isLowerInked = "█▄".contains(character)
                #expect(isLowerInked == (code.isDark(column: column, row: row + 1) == isInverted))
            }
        }
    }
}
