import ArgumentParser
import FixedMemory
import Foundation
import Schemes

/// What a board's identities are to follow from, and of which days.
struct SchemeSecretOptions: ParsableArguments {
    @Option(help: ArgumentHelp("Herald's secret, 2048 bytes.", valueName: "file"))
    var secret: String?

    @Option(help: ArgumentHelp("CovidTracer's root key, 32 bytes.", valueName: "file"))
    var root: String?

    @Option(
        help: ArgumentHelp(
            "Sonar's registration, 127 bytes, as `tabardctl authority sonar register` writes it.",
            valueName: "file"))
    var registration: String?

    @Flag(help: "Make the secret or root first, in that file, which is not there yet.")
    var new = false

    @Option(
        help: ArgumentHelp(
            "The first day (UTC) of which the board gets a key, as 2026-11-22 (by default today).",
            valueName: "date"))
    var from: CalendarDate?

    @Option(
        help: ArgumentHelp(
            "Of how many days, \(DayKeys.maximumDayCount) at most, which is also the default.",
            valueName: "number"))
    var days = DayKeys.maximumDayCount

    @Option(
        help: ArgumentHelp(
            "The first day of the Herald secret's keys, as `tabardctl submit herald` is to be told.",
            valueName: "date"))
    var epoch = CalendarDate(daysSince1970: 20_454)

    func validate() throws {
        guard (1...DayKeys.maximumDayCount).contains(days) else {
            throw ValidationError("--days must be from 1 to \(DayKeys.maximumDayCount)")
        }
    }

    /// - Parameter scheme: nil where the board gets no scheme's.
    func validate(for scheme: ProvisionedScheme?) throws {
        let files: [(option: String, file: String?, scheme: ProvisionedScheme)] = [
            ("--secret", secret, .herald), ("--root", root, .covidTracer),
            ("--registration", registration, .sonar),
        ]
        for (option, file, own) in files {
            guard file == nil || own == scheme else {
                throw ValidationError("\(option) is for --scheme \(own.rawValue)")
            }
            guard file != nil || own != scheme else {
                throw ValidationError("--scheme \(own.rawValue) wants \(option) FILE")
            }
        }
        guard !new || secret != nil || root != nil else {
            throw ValidationError("--new makes the file that --secret or --root names")
        }
    }

    /// What the board is to keep; nil where its identities are random.
    func record() throws(Failure) -> SchemeRecord? {
        if let secret { return try heraldRecord(secret) }
        if let root { return try covidTracerRecord(root) }
        guard let registration else { return nil }
        return SchemeRecord(try SchemeSecrets.sonar(registration))
    }

    private func heraldRecord(_ secret: String) throws(Failure) -> SchemeRecord {
        if new { try make(secret, byteCount: HeraldKeySchedule.secretByteCount) }
        let bytes = try SchemeSecrets.herald(secret)
        let schedule = HeraldKeySchedule(secret: bytes.span, epochDay: epoch.daysSince1970)
        let job: DayKeysJob
        do throws(HeraldScheduleError) {
            job = try DayKeysJob(schedule, firstDay: firstDay, dayCount: days)
        } catch {
            throw Failure(
                .usage,
                "there is no key of \(CalendarDate(daysSince1970: firstDay).text): keys begin on "
                    + "\(epoch.text) (--epoch), and are of 2001 days")
        }
        return try SchemeRecord(job)
    }

    private func covidTracerRecord(_ root: String) throws(Failure) -> SchemeRecord {
        if new { try make(root, byteCount: 32) }
        let key = try SchemeSecrets.covidTracer(root)
        return try SchemeRecord(DayKeysJob(key, firstDay: firstDay, dayCount: days))
    }

    private var firstDay: UInt32 {
        from?.daysSince1970 ?? UInt32(clamping: Int64(Date().timeIntervalSince1970) / 86_400)
    }

    private func make(_ path: String, byteCount: Int) throws(Failure) {
        var generator = SystemRandomNumberGenerator()
        try Documents.create(
            path, (0..<byteCount).map { _ in .random(in: .min ... .max, using: &generator) })
        Console.print("\(path): made (secret); keep a copy, for all identities of the board follow from it")
    }
}
