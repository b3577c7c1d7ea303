import HCI
import Peers
import Protocols

/// What every advertising report goes through, and by far the busiest code there is. In one place, so that
/// `make bench` measures just what the agent runs (docs/bounds.md).
public enum ReportIntake {
    /// Static, and without the controller: a method that reads `self` gets a copy of all of it, links included, from
    /// the board's optimiser.
    @inline(__always)
    public static func take(
        _ reports: AdvertisingReports, recorder: inout Recorder, hearing: inout Hearing,
        nowMilliseconds now: UInt64
    ) {
        var reports = reports
        var tally = Hearing.Tally()
        while let report = reports.next() {
            tally.add(report)
            take(report, recorder: &recorder, nowMilliseconds: now)
        }
        if reports.isDamaged { recorder.noteMalformed() }
        hearing.note(tally, atMilliseconds: now)
    }

    /// The same of extended events.
    public static func take(
        _ reports: ExtendedAdvertisingReports, recorder: inout Recorder, hearing: inout Hearing,
        nowMilliseconds now: UInt64
    ) {
        var reports = reports
        var tally = Hearing.Tally()
        while let report = reports.next() {
            tally.add(report)
            take(report, recorder: &recorder, nowMilliseconds: now)
        }
        if reports.isDamaged { recorder.noteMalformed() }
        hearing.note(tally, atMilliseconds: now)
    }

    @inline(__always)
    private static func take(
        _ report: AdvertisingReport, recorder: inout Recorder, nowMilliseconds now: UInt64
    ) {
        let recognition = HeraldRecognition(report.data)
        if let key = recognition.key {
            recorder.note(Sighting(report, recognition), from: key, nowMilliseconds: now)
        } else {
            recorder.note(Sighting(report, recognition), nowMilliseconds: now)
        }
        if recognition.isDamaged { recorder.noteMalformed() }
    }
}
