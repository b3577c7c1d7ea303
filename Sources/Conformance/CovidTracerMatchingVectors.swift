import Authority
import FixedMemory
import Schemes

/// `matching`: whether a contact matches a report, by the original's rule and by ours.
///
/// Both answers are the same for many hours, so changing an hour could have no effect. Therefore all cases
/// use one identifier of the published day: seen in its hour, then some hours later, then in equal steps.
enum CovidTracerMatchingVectors {
    private struct Contact {
        let key: String
        let day: String
        let delayHours: Int64
    }

    static func cases(_ root: VectorObject) throws(VectorError) -> [VectorCase] {
        let objects = try root.objects("matching")
        return objects.enumerated().map { index, object in
            VectorCase(object) { object in
                try check(object, root)
                try checkDelay(index, objects, root)
            }
        }
    }

    private static func check(_ object: VectorObject, _ root: VectorObject) throws {
        let published = try publishedKey(object, root)
        let contact = try object.object("contact")
        let identifier = CovidTracerIdentifier(try contact.block("key", uppercase: true))
        let hour = try hour(contact)
        try contact.finish()
        let isOfDay = try hourNumber(of: identifier, published) != nil
        try object.expect("match_original", isOfDay && hour.date == published.date)
        try object.expect(
            "match_strict", try CovidTracer.matches(identifier, seenAt: hour.startSeconds, published))
    }

    private static func checkDelay(_ index: Int, _ objects: [VectorObject], _ root: VectorObject) throws {
        let first = try contact(objects[0], root)
        let this = try contact(objects[index], root)
        let step = objects.count > 1 ? try contact(objects[1], root).delayHours : 0
        guard this.key == first.key, this.day == first.day, this.delayHours == Int64(index) * step else {
            throw objects[index].error(
                "contact", "is not of the first one's identifier, seen in its hour and then in equal steps")
        }
    }

    private static func contact(_ object: VectorObject, _ root: VectorObject) throws -> Contact {
        let published = try publishedKey(object, root)
        let contact = try object.object("contact")
        let identifier = CovidTracerIdentifier(try contact.block("key", uppercase: true))
        guard let number = try hourNumber(of: identifier, published),
            let own = CovidTracerHour(date: published.date, hour: number)
        else { throw contact.error("key", "not an identifier of the published day") }
        let delay = try Int64(hour(contact).startSeconds) - Int64(own.startSeconds)
        return Contact(
            key: try contact.text("key"), day: try object.text("published_day"), delayHours: delay / 3_600)
    }

    private static func publishedKey(_ object: VectorObject, _ root: VectorObject) throws
        -> CovidTracerDailyKey
    {
        let day = try CovidTracerVectors.date("published_day", object)
        let report = try CovidTracerVectors.report(try root.object("notify"), root)
        guard let key = report.keys.first(where: { $0.date == day }) else {
            throw object.error("published_day", "not a day of the report")
        }
        return key
    }

    private static func hour(_ contact: VectorObject) throws -> CovidTracerHour {
        let date = try CovidTracerVectors.date("date", contact)
        guard let hour = CovidTracerHour(date: date, hour: try contact.integer("hour")) else {
            throw contact.error("hour", "not an hour of a day")
        }
        return hour
    }

    private static func hourNumber(
        of identifier: CovidTracerIdentifier, _ key: CovidTracerDailyKey
    ) throws -> Int? {
        try (0..<24).first { try key.identifier(ofHour: $0) == identifier }
    }
}
