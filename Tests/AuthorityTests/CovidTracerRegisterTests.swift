import FixedMemory
import Schemes
import TestSupport
import Testing
import TextFormats

@testable import Authority

@Suite struct CovidTracerRegisterTests {
    private let onset = CalendarDate(text: "2020-04-25") ?? CalendarDate(daysSince1970: 0)
    /// 2020-04-26 09:00 UTC.
    let now: UInt64 = 1_587_891_600

    func fields(_ seed: UInt8) throws -> [CovidTracerFormField] {
        let root = CovidTracerRootKey(Bytes([UInt8](repeating: seed, count: 32)) ?? Bytes())
        return try CovidTracerReport(root: root, symptomOnset: onset, isTested: true).fields
    }

    private func refusal(_ fields: [CovidTracerFormField], at time: UInt64? = nil) -> CovidTracerRefusal? {
        var register = CovidTracerRegister()
        do throws(CovidTracerRefusal) {
            try register.accept(fields, from: "a", at: time ?? now)
            return nil
        } catch {
            return error
        }
    }

    private func changing(_ name: String, to value: String) throws -> [CovidTracerFormField] {
        try fields(1).map { $0.name == name ? CovidTracerFormField(name, value) : $0 }
    }

    @Test func `sixteen keys of consecutive days are accepted`() throws {
        #expect(refusal(try fields(1)) == nil)
    }

    @Test func `an incomplete form, or one with keys that the apps cannot read, is a bad request`() throws {
        let good = try fields(1)
        #expect(refusal([]) == .badRequest(.fieldCount(0)))
        #expect(refusal(Array(good.dropLast())) == .badRequest(.fieldCount(33)))
        #expect(refusal(good + [CovidTracerFormField("x", "")]) == .badRequest(.fieldCount(35)))
        #expect(refusal(Array(good.dropLast()) + [good[0]]) == .badRequest(.repeatedField("is_tested")))
        let key = good[3].value
        let changes: [(String, String, CovidTracerReportDefect)] = [
            ("is_tested", "yes", .noTestResult),
            ("comment", String(repeating: "x", count: 1_001), .noComment),
            ("keys-0-date", "2020-4-20", .noDate(0)), ("keys-1-date", "2020-04-20", .notConsecutive(1)),
            ("keys-15-date", "2020-05-06", .notConsecutive(15)),
            ("keys-0-value", "", .noKey(0)), ("keys-0-value", key.lowercased(), .noKey(0)),
            ("keys-1-value", key, .repeatedKey), ("keys-0-value", String(key.dropLast()), .noKey(0)),
        ]
        for (name, value, defect) in changes {
            #expect(refusal(try changing(name, to: value)) == .badRequest(defect), "\(name)=\(value)")
        }
        #expect(refusal(try changing("comment", to: String(repeating: "x", count: 1_000))) == nil)
    }

    @Test func `a report may include future days, but not only those`() throws {
        let first = try #require(CalendarDate(text: "2020-04-20"))
        #expect(refusal(try fields(1), at: 1_587_340_800) == nil)
        #expect(refusal(try fields(1), at: 1_587_340_799) == .badRequest(.notBegun(first)))
    }

    @Test func `a key is accepted once`() throws {
        var register = CovidTracerRegister()
        try register.accept(fields(1), from: "a", at: now)
        #expect(throws: CovidTracerRefusal.alreadyKnown) {
            try register.accept(fields(1), from: "b", at: now)
        }
        #expect(register.cases(at: now + 86_400).count == 7)
    }

    @Test func `an address may send five reports an hour, and more after the hour`() throws {
        var register = CovidTracerRegister()
        for seed in 1...5 { try register.accept(fields(UInt8(seed)), from: "a", at: now) }
        #expect(throws: CovidTracerRefusal.tooManyRequests) {
            try register.accept(fields(6), from: "a", at: now + 3_599)
        }
        #expect(throws: Never.self) { try register.accept(fields(7), from: "b", at: now) }
        #expect(throws: Never.self) { try register.accept(fields(6), from: "a", at: now + 3_600) }
    }

    @Test func `keys of today, of later days and of sixteen days ago are not published`() throws {
        var register = CovidTracerRegister()
        try register.accept(fields(1), from: "a", at: now)
        for day in 0..<40 {
            let moment = now + UInt64(day) * 86_400
            let today = Int(moment / 86_400)
            for row in register.cases(at: moment) {
                #expect((today - 15..<today).contains(Int(row.key.date.daysSince1970)))
            }
        }
        #expect(register.cases(at: now + 40 * 86_400).isEmpty)
    }
}

extension CovidTracerRegisterTests {
    @Test func `a stored register continues where it stopped`() throws {
        var register = CovidTracerRegister()
        for seed in 1...5 { try register.accept(fields(UInt8(seed)), from: "a", at: now) }
        let text = register.json.text
        let kept = try #require(CovidTracerRegister(try JSONReader.read(Array(text.utf8))))
        #expect(kept == register)
        register = kept
        #expect(throws: CovidTracerRefusal.alreadyKnown) {
            try register.accept(fields(1), from: "b", at: now)
        }
        #expect(throws: CovidTracerRefusal.tooManyRequests) {
            try register.accept(fields(6), from: "a", at: now + 60)
        }
        let published = CovidTracerCases.json(kept.cases(at: now + 86_400))
        #expect(CovidTracerCases.cases(published)?.count == 35)
    }

    @Test func `any other text is neither a register nor cases`() throws {
        var register = CovidTracerRegister()
        try register.accept(fields(1), from: "a", at: now)
        let good = register.json.text
        for (old, new) in [
            ("-1\"", "-2\""), ("positive", "negative"), ("2020-04-26T", "2020-04-31T"), ("\"a\"", "1"),
            ("\"acceptances\"", "\"others\""), ("}]}", "}],\"more\":1}"),
        ] {
            let changed = good.replacing(old, with: new)
            #expect(changed != good)
            #expect(CovidTracerRegister(try JSONReader.read(Array(changed.utf8))) == nil, "\(new)")
        }
        let cases = CovidTracerCases.json(register.cases(at: now + 86_400)).text
        for (old, new) in [("positive", "negative"), ("-25", "-31"), ("\"cases\"", "\"case\"")] {
            let changed = cases.replacing(old, with: new)
            #expect(changed != cases)
            #expect(CovidTracerCases.cases(try JSONReader.read(Array(changed.utf8))) == nil, "\(new)")
        }
    }
}
