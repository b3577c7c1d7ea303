import Schemes
import TestSupport
import Testing
import TextFormats

@testable import Authority

@Suite struct BLEProximityPositivesTests {
    private func entry(_ id: UInt64, from start: UInt64) throws -> BLEProximityPositive {
        let validity = try #require(ValidityInterval(startSeconds: start, endSeconds: start + 900))
        return BLEProximityPositive(id: BLEProximityUserID(id), validity: validity)
    }

    @Test func `a list is written as documented, sorted, and reads back`() throws {
        var list = BLEProximityPositives()
        list.append([try entry(0xfe, from: 1_588_854_600), try entry(0x0123_4567_89ab_cdef, from: 0)])
        list.append([try entry(0xfe, from: 0)])
        let text =
            #"{"format":"tabard-ble-proximity-positives-1","positives":[{"id":"00000000000000fe","#
            + #""from":"2020-05-07T12:30:00Z","until":"2020-05-07T12:45:00Z"},{"id":"0123456789abcdef","#
            + #""from":"1970-01-01T00:00:00Z","until":"1970-01-01T00:15:00Z"}]}"#
        #expect(list.json.text == text)
        #expect(BLEProximityPositives(try JSONReader.read(Array(text.utf8))) == list)
    }

    @Test func `any other text is not a list`() throws {
        for text in [
            "{}", #"{"format":"other","positives":[]}"#, #"{"format":"tabard-ble-proximity-positives-1"}"#,
            #"{"format":"tabard-ble-proximity-positives-1","positives":[{"id":"FE"}]}"#,
            #"{"format":"tabard-ble-proximity-positives-1","positives":[],"more":1}"#,
        ] {
            #expect(BLEProximityPositives(try JSONReader.read(Array(text.utf8))) == nil, "\(text)")
        }
    }

    @Test func `an identity counts within its validity, and not when replayed hours later`() throws {
        var list = BLEProximityPositives()
        list.append([try entry(7, from: 100_000)])
        #expect(list.contains(BLEProximityUserID(7), seenAt: 100_000))
        #expect(list.contains(BLEProximityUserID(7), seenAt: 104_499))
        #expect(!list.contains(BLEProximityUserID(7), seenAt: 104_500))
        #expect(!list.contains(BLEProximityUserID(8), seenAt: 100_000))
    }
}
