import Authority
import FixedMemory
import Schemes
import TextFormats

/// `chains`, `notify`, `publication` and `matching`. The last three concern one report, by the owner of a
/// chain.
enum CovidTracerVectors {
    static func cases(_ section: String, _ root: VectorObject) throws(VectorError) -> [VectorCase] {
        switch section {
        case "chains": try chains(root)
        case "notify": [VectorCase(try root.object("notify")) { _ = try report($0, root) }]
        case "publication": try CovidTracerPublicationVectors.cases(root)
        default: try CovidTracerMatchingVectors.cases(root)
        }
    }

    private static func chains(_ root: VectorObject) throws(VectorError) -> [VectorCase] {
        var cases: [VectorCase] = []
        for chain in try root.objects("chains") {
            let key = CovidTracerRootKey(try chain.block("tracer_key", uppercase: true))
            cases += try chain.objects("days").map { VectorCase($0) { try check($0, key) } }
            try chain.finish()
        }
        return cases
    }

    private static func check(_ object: VectorObject, _ root: CovidTracerRootKey) throws {
        let date = try date("date", object)
        try object.expect("hmac_message_ascii", date.text)
        let key = try root.dailyKey(of: date)
        try object.expect("daily_key", key.bytes, uppercase: true)
        guard let midnight = CovidTracerHour(date: date, hour: 0) else {
            throw object.error("date", "not a date")
        }
        try object.expect(
            "hourly_message_example", String(decoding: [UInt8](copying: midnight.message.span), as: UTF8.self)
        )
        let hours = try object.object("hourly_keys_20")
        for hour in 0..<24 {
            let name = (hour < 10 ? "0" : "") + String(hour)
            guard let identifier = try key.identifier(ofHour: hour) else {
                throw hours.error(name, "not an hour")
            }
            try hours.expect(name, identifier.bytes, uppercase: true)
        }
        try hours.finish()
        try checkScheme(object, root, date)
    }

    /// A device's own identifier must match in another device's later comparison.
    private static func checkScheme(_ object: VectorObject, _ root: CovidTracerRootKey, _ date: CalendarDate)
        throws
    {
        var root = root
        let noon = UInt64(date.daysSince1970) * 86_400 + 43_200
        let own = try CovidTracer.identity(at: noon, by: &root)
        guard try CovidTracer.matches(own.identity, seenAt: noon, root.dailyKey(of: date)) else {
            throw object.error("date", "its identifier of noon is not found again")
        }
    }

    static func date(_ name: String, _ object: VectorObject) throws(VectorError) -> CalendarDate {
        guard let date = CalendarDate(text: try object.text(name)) else {
            throw object.error(name, "not a date")
        }
        return date
    }

    static func time(_ name: String, _ object: VectorObject) throws(VectorError) -> UInt64 {
        guard let seconds = UTCTime.secondsWithoutZone(try object.text(name)) else {
            throw object.error(name, "not a time such as 2020-04-26T09:00:00")
        }
        return seconds
    }

    /// The file's only report. It must be that of one of the chains, and contain no more than a chain, an
    /// onset and a test.
    static func report(_ notify: VectorObject, _ root: VectorObject) throws -> CovidTracerReport {
        try notify.expect("method", "POST")
        try notify.expect("path", "/notify")
        try notify.expect("content_type", "application/x-www-form-urlencoded")
        let onset = try date("symptom_onset", notify)
        try notify.expect("first_day", onset.adding(days: -5)?.text ?? "")
        try notify.expect("last_day", onset.adding(days: 10)?.text ?? "")
        try notify.expect("key_count", CovidTracerReport.dayCount)
        let stated = try fields(notify)
        for chain in try root.objects("chains") {
            let key = CovidTracerRootKey(try chain.block("tracer_key", uppercase: true))
            for isTested in [true, false] {
                let report = try CovidTracerReport(root: key, symptomOnset: onset, isTested: isTested)
                guard report.fields == stated else { continue }
                return try CovidTracerReport(fields: stated, today: onset)
            }
        }
        throw notify.error("fields", "are not the report of one of the chains, without a comment")
    }

    private static func fields(_ notify: VectorObject) throws(VectorError) -> [CovidTracerFormField] {
        var fields: [CovidTracerFormField] = []
        for pair in try notify.value("fields").array ?? [] {
            guard let items = pair.array, items.count == 2, let name = items[0].string,
                let value = items[1].string
            else { throw notify.error("fields", "are not pairs of a name and a value") }
            fields.append(CovidTracerFormField(name, value))
        }
        return fields
    }
}
