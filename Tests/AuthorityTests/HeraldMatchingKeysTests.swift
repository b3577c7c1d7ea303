import FixedMemory
import Schemes
import TestSupport
import Testing
import TextFormats

@testable import Authority

@Suite struct HeraldMatchingKeysTests {
    private let schedule: HeraldKeySchedule

    init() {
        let secret = [UInt8](repeating: 0, count: HeraldKeySchedule.secretByteCount)
        schedule = HeraldKeySchedule(secret: secret.span, epochDay: 18_529)
    }

    private func keys(_ days: ClosedRange<UInt32>) throws -> [HeraldMatchingKey] {
        try days.map { try schedule.matchingKey(ofDay: $0) }
    }

    @Test func `a day's key equals Herald's own, and reveals that day's identifiers`() throws {
        // Herald's test vectors, day 0 of a secret of zeros.
        let key = try schedule.matchingKey(ofDay: 18_529)
        #expect(
            HeraldPublishedKey(key).text
                == "38fc2e6a58a6208cb376e79f46b6dcd646a8eef492c07bdeccde63448aea4b51")
        var maker = HeraldIdentifierMaker(schedule)
        for second in stride(from: UInt64(0), to: 86_400, by: 3_599) {
            let moment = UInt64(18_529) * 86_400 + second
            let own = try Herald.identity(at: moment, by: &maker)
            #expect(try Herald.matches(own.identity, seenAt: moment, key))
        }
    }

    @Test func `days before the first and after the last have no key`() throws {
        #expect(throws: HeraldScheduleError.beforeEpoch) { try schedule.matchingKey(ofDay: 18_528) }
        #expect(throws: Never.self) { try schedule.matchingKey(ofDay: 18_529 + 2_000) }
        #expect(throws: HeraldScheduleError.over) { try schedule.matchingKey(ofDay: 18_529 + 2_001) }
    }

    @Test func `a list is sorted by key, has each key once, and reads back`() throws {
        var list = HeraldMatchingKeys(try keys(18_529...18_531))
        list.append(HeraldMatchingKeys(try keys(18_531...18_532)).entries)
        #expect(list.entries.count == 4)
        let texts = list.entries.map(\.text)
        #expect(texts == texts.sorted())
        #expect(HeraldMatchingKeys(try JSONReader.read(Array(list.json.text.utf8))) == list)
        #expect(
            Set(list.entries.map(\.date.text)) == ["2020-09-24", "2020-09-25", "2020-09-26", "2020-09-27"])
    }

    @Test func `any other text is not a list`() throws {
        let list = HeraldMatchingKeys(try keys(18_529...18_530))
        let good = list.json.text
        let (first, second) = (list.entries[0].text, list.entries[1].text)
        for (old, new) in [
            ("keys-1", "keys-2"), (first, first.uppercased()), (first, second),
            (first, String(first.dropLast(2))), ("2020-09-24", "2020-09-31"), ("\"keys\"", "\"key\""),
            ("}]}", "}],\"more\":1}"),
        ] {
            let changed = good.replacing(old, with: new)
            #expect(changed != good)
            #expect(HeraldMatchingKeys(try JSONReader.read(Array(changed.utf8))) == nil, "\(new)")
        }
    }
}
