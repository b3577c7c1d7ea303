import Authority
import Schemes
import TextFormats

/// `publication`: what the authority publishes at which time of the file's report.
///
/// Nothing changes within twelve hours, so changing a moment could have no effect. Therefore all cases use
/// one report. They ask a minute before a batch, at it, and a minute after, equally often.
enum CovidTracerPublicationVectors {
    static func cases(_ root: VectorObject) throws(VectorError) -> [VectorCase] {
        let objects = try root.objects("publication")
        try checkMoments(objects)
        return objects.map { VectorCase($0) { try check($0, root) } }
    }

    private static func checkMoments(_ objects: [VectorObject]) throws(VectorError) {
        let batch = CovidTracerRegister.batchSeconds
        var counts: [Int64: Int] = [-60: 0, 0: 0, 60: 0]
        let reportedAt = try objects[0].text("reported_at")
        for object in objects {
            try object.expect("reported_at", reportedAt)
            let phase = try CovidTracerVectors.time("asked_at", object) % batch
            let distance = phase > batch / 2 ? Int64(phase) - Int64(batch) : Int64(phase)
            guard let count = counts[distance] else {
                throw object.error("asked_at", "is not a batch's time, nor a minute before or after")
            }
            counts[distance] = count + 1
        }
        guard Set(counts.values).count == 1 else {
            throw objects[0].error(
                "asked_at", "and the others' are not before, at and after a batch equally often")
        }
    }

    private static func check(_ object: VectorObject, _ root: VectorObject) throws {
        let report = try CovidTracerVectors.report(try root.object("notify"), root)
        let reportedAt = try CovidTracerVectors.time("reported_at", object)
        let askedAt = try CovidTracerVectors.time("asked_at", object)
        try object.expect("cutoff", UTCTime.textWithoutZone(CovidTracerRegister.cutoff(at: askedAt)))
        var register = CovidTracerRegister()
        try register.accept(report.fields, from: "phone", at: reportedAt)
        let computed = CovidTracerCases.json(register.cases(at: askedAt))
        let stated = try object.value("cases_json")
        guard stated == computed else {
            throw object.error("cases_json", "is not \(computed.text)")
        }
    }
}
