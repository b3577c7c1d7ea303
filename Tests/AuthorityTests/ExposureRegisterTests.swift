import FixedMemory
import Schemes
import TestSupport
import Testing
import TextFormats

@testable import Authority

@Suite struct ExposureRegisterTests {
    /// 2026-11-20T00:00:00Z
    private let day: UInt64 = 1_795_132_800
    private let hour: UInt64 = 3_600
    private let info = ExportSignatureInfo(keyVersion: "v1", keyIdentifier: "GB")

    /// A whole day's key, so many days after the first.
    private func key(_ number: UInt8, day days: UInt32 = 0, period: UInt32 = 144) throws
        -> TemporaryExposureKey
    {
        try TemporaryExposureKey(
            data: try #require(Bytes<16>([UInt8](repeating: number, count: 16))),
            rollingStart: ExposureNotificationInterval(number: UInt32(day / 600) + days * 144),
            rollingPeriod: period)
    }

    private func report(_ keys: [TemporaryExposureKey], onset: Int? = nil) -> ExposureReport {
        ExposureReport(
            keys: keys, healthAuthority: "ha",
            symptomOnset: onset.map {
                ExposureNotificationInterval(number: UInt32(Int(day / 600) + $0 * 144))
            })
    }

    private func refusal(_ report: ExposureReport, at time: UInt64) -> ExposureReportRefusal? {
        var register = ExposureRegister()
        do throws(ExposureReportRefusal) {
            try register.accept(report, reportType: 1, at: time)
            return nil
        } catch {
            #expect(register == ExposureRegister())
            return error
        }
    }

    private func publish(_ register: inout ExposureRegister, at time: UInt64) -> ExposureKeyExport? {
        var generator = SeededGenerator(seed: time)
        guard
            register.publish(
                at: time, region: "GB", signatureInfo: info, minimumKeyCount: 20, using: &generator),
            let file = register.batches.last
        else { return nil }
        return try? ExposureKeyExport(file: file)
    }

    @Test func `a report is read as it was written, and its length hides the number of its keys`()
        throws
    {
        var generator = SeededGenerator(seed: 3)
        let reports = [report([try key(1)]), report([try key(1), try key(2, day: 1)], onset: 1)]
        for report in reports {
            let request = report.request(host: "authority.invalid", using: &generator)
            let read = try #require(HTTPRequest(parsing: request.encoded))
            #expect(ExposureReport(read) == report)
            #expect(request.body.count == 5_120)
        }
        let most = report(try (1...30).map { try key($0) }, onset: 0)
        #expect(most.request(host: "authority.invalid", using: &generator).body.count == 5_120)
    }

    /// A report of two keys, in whose body some text is replaced once.
    private func read(replacing old: String, with new: String) throws -> ExposureReport? {
        var generator = SeededGenerator(seed: 3)
        let request = report([try key(1), try key(2, day: 1)], onset: 0).request(host: "a", using: &generator)
        let body = String(decoding: request.body, as: UTF8.self)
        let changed = body.replacing(old, with: new, maxReplacements: 1)
        #expect(changed != body)
        return ExposureReport(
            HTTPRequest(method: request.method, path: request.path, fields: [], body: Array(changed.utf8)))
    }

    @Test(arguments: [
        ("symptomOnsetInterval\":", "symptomOnsetInterval\":-"), ("healthAuthorityID", "id"),
        ("\"padding", "padding"), ("temporaryExposureKeys", "keys"),
    ])
    func `a request without the fields of a report is none`(old: String, new: String) throws {
        #expect(try read(replacing: old, with: new) == nil)
    }

    @Test(
        arguments: [
            ("\"rollingPeriod\":144", "\"rollingPeriod\":145", .wrongRollingPeriod(145)),
            ("\"rollingPeriod\":144", "\"rollingPeriod\":0", .wrongRollingPeriod(0)),
            ("AQEBAQ==", "AQ==", .wrongLength(13)), ("rollingStartNumber", "start", .noRollingStart),
            ("AQEBAQ==", "AQEBAQ", .unreadable),
        ] as [(String, String, ExportedKeyDefect)])
    func `a key that cannot be used is refused by itself`(
        old: String, new: String, defect: ExportedKeyDefect
    ) throws {
        let report = try #require(try read(replacing: old, with: new))
        #expect(report.keys == [try key(2, day: 1)])
        #expect(report.refusals == [.init(place: 1, defect: defect)])
    }

    @Test func `a reported key without a period lasts a day`() throws {
        let report = try #require(try read(replacing: "\"rollingPeriod\":144", with: "\"was\":144"))
        #expect(report.keys == [try key(1), try key(2, day: 1)])
    }

    @Test func `each refusal has its reason`() throws {
        let good = report([try key(1)])
        #expect(refusal(good, at: day) == nil)
        #expect(refusal(good, at: day - 1) == .notBegun)
        #expect(refusal(good, at: day + 15 * 86_400 - 1) == nil)
        #expect(refusal(good, at: day + 15 * 86_400) == .tooOld)
        #expect(refusal(report([]), at: day) == .keyCount)
        #expect(refusal(report(try (0...30).map { try key($0) }), at: day) == .keyCount)
        #expect(refusal(report([try key(1), try key(1)]), at: day) == .alreadyKnown)
        var register = ExposureRegister()
        try register.accept(good, reportType: 1, at: day)
        _ = publish(&register, at: day + 3 * 86_400)
        #expect(throws: ExposureReportRefusal.alreadyKnown) {
            try register.accept(good, reportType: 1, at: day + 3 * 86_400)
        }
    }

    @Test func `a file has the keys that arrived before the full hour and expired two hours ago`() throws {
        var register = ExposureRegister()
        try register.accept(
            report([try key(1), try key(2, day: 1)], onset: 1), reportType: 2, at: day + 86_400 + 100)
        let midnight = day + 86_400
        #expect(publish(&register, at: midnight + 2 * hour - 1) == nil)
        let first = try #require(publish(&register, at: midnight + 2 * hour + 5))
        #expect(first.startSeconds == midnight)
        #expect(first.endSeconds == midnight + 2 * hour)
        #expect(first.keys.count == 20)
        let own = try #require(first.keys.first { $0.data == [UInt8](repeating: 1, count: 16) })
        #expect((own.reportType, own.daysSinceOnset) == (2, -1))
        #expect(!first.keys.contains { $0.data == [UInt8](repeating: 2, count: 16) })
        #expect(register.waitingCount == 1)
        #expect(publish(&register, at: midnight + 3 * hour) == nil)
        #expect(publish(&register, at: midnight + 86_400 + 2 * hour) != nil)
        #expect(register.waitingCount == 0)
    }

    @Test func `keys that arrived within the hour wait for its end`() throws {
        var register = ExposureRegister()
        let now = day + 3 * 86_400 + 100
        try register.accept(report([try key(1)]), reportType: 1, at: now)
        #expect(publish(&register, at: now + 10) == nil)
        #expect(publish(&register, at: now + hour) != nil)
    }

    @Test func `a stored register has the same files and the same waiting keys`() throws {
        var register = ExposureRegister()
        try register.accept(
            report([try key(1), try key(2, day: 1)], onset: 0), reportType: 1, at: day + 86_400)
        _ = publish(&register, at: day + 86_400 + 3 * hour)
        let good = register.json.text
        #expect(ExposureRegister(try JSONReader.read(Array(good.utf8))) == register)
        for (old, new) in [
            ("register-1", "register-2"), ("\"rollingPeriod\":144", "\"rollingPeriod\":0"), ("00Z", "0Z"),
            ("\"batches\":[\"RUs", "\"batches\":[\"RUt"), ("\"waiting\"", "\"others\""),
            ("\"]}", "\"],\"more\":1}"),
        ] {
            let changed = good.replacing(old, with: new)
            #expect(changed != good)
            #expect(ExposureRegister(try JSONReader.read(Array(changed.utf8))) == nil, "\(new)")
        }
    }
}
