import ArgumentParser
import CommandLineText
import FixedMemory
import Schemes

/// The source of a board's identities, and the days that they cover.
struct SchemeSecretOptions: ParsableArguments {
    @Option(help: ArgumentHelp("Herald secret, 2048 bytes.", valueName: "file"), completion: .file())
    var secret: String?

    @Option(help: ArgumentHelp("CovidTracer root key, 32 bytes.", valueName: "file"), completion: .file())
    var root: String?

    @Option(
        help: ArgumentHelp(
            "Sonar registration, 127 bytes, from `tabardctl authority sonar register`.",
            valueName: "file"), completion: .file())
    var registration: String?

    @Flag(help: "Create the file of --secret or --root first.")
    var new = false

    @Option(
        help: ArgumentHelp(
            "First day (UTC) that gets a key, such as 2026-11-22; default: today.",
            valueName: "date"))
    var from: CalendarDate?

    @Option(
        help: ArgumentHelp(
            "Number of days that get a key, 1 to \(DayKeys.maximumDayCount).",
            valueName: "number"))
    var days = DayKeys.maximumDayCount

    @Option(
        help: ArgumentHelp(
            "First day (UTC) of the Herald secret's keys; give the same to `submit herald`.",
            valueName: "date"))
    var epoch = CalendarDate(daysSince1970: 20_454)

    func validate() throws {
        guard (1...DayKeys.maximumDayCount).contains(days) else {
            throw ValidationError("--days must be from 1 to \(DayKeys.maximumDayCount)")
        }
    }

    /// - Parameter scheme: nil if no scheme is provisioned.
    func validate(for scheme: SchemeID?) throws {
        let files: [(option: String, file: String?, scheme: SchemeID)] = [
            ("--secret", secret, .herald), ("--root", root, .covidTracer),
            ("--registration", registration, .sonar),
        ]
        for (option, file, own) in files {
            guard file == nil || own == scheme else {
                throw ValidationError("\(option) is for --scheme \(own.name)")
            }
            guard file != nil || own != scheme else {
                throw ValidationError("--scheme \(own.name) needs \(option) FILE")
            }
        }
        guard !new || secret != nil || root != nil else {
            throw ValidationError("--new needs --secret or --root")
        }
    }

    /// The record that the board stores, nil if its identities are random; and its secret, if that is new and
    /// in no file yet.
    func record() throws(Failure) -> (SchemeRecord?, NewSecret?) {
        if let secret {
            let made = try newSecret(secret, byteCount: HeraldKeySchedule.secretByteCount)
            let bytes = if let made { made.bytes } else { try SchemeSecrets.herald(secret) }
            return (try heraldRecord(bytes), made)
        }
        if let root {
            let made = try newSecret(root, byteCount: SchemeSecrets.covidTracerByteCount)
            let bytes = if let made { made.bytes } else { try Documents.bytes(root, isPrivate: true) }
            return (try covidTracerRecord(SchemeSecrets.covidTracer(bytes, path: root)), made)
        }
        guard let registration else { return (nil, nil) }
        return (SchemeRecord(try SchemeSecrets.sonar(registration)), nil)
    }

    private func newSecret(_ path: String, byteCount: Int) throws(Failure) -> NewSecret? {
        guard new else { return nil }
        return try NewSecret(path, byteCount: byteCount)
    }

    private func heraldRecord(_ bytes: [UInt8]) throws(Failure) -> SchemeRecord {
        let schedule = HeraldKeySchedule(secret: bytes.span, epochDay: epoch.daysSince1970)
        let job: DayKeysJob
        do throws(HeraldScheduleError) {
            job = try DayKeysJob(schedule, firstDay: firstDay, dayCount: days)
        } catch {
            throw Failure(
                .usage,
                "no key for \(CalendarDate(daysSince1970: firstDay).text): keys start on "
                    + "\(epoch.text) (--epoch) and cover 2001 days")
        }
        return try SchemeRecord(job)
    }

    private func covidTracerRecord(_ key: CovidTracerRootKey) throws(Failure) -> SchemeRecord {
        try SchemeRecord(DayKeysJob(key, firstDay: firstDay, dayCount: days))
    }

    private var firstDay: UInt32 {
        from?.daysSince1970 ?? CalendarDate.today
    }
}
