import EncounterLog
import FixedMemory
import HCI
import Peers
import Protocols

/// Records advertising reports. This is the busiest code of the agent. It is in one place so that `make
/// bench` measures what the agent runs (docs/bounds.md).
public enum ReportIntake {
    /// Static, and without the controller: a method that reads `self` gets a copy of all of it, links
    /// included, from the board's optimiser.
    @inline(never)
    public static func take(
        _ reports: AdvertisingReports, recorder: inout Recorder, statistics: inout ScanStatistics,
        now: Instant
    ) {
        var rest = reports
        var tally = ScanStatistics.Tally()
        while let report = rest.next() {
            tally.add(report)
            take(report, recorder: &recorder, now: now)
        }
        if rest.isDamaged { recorder.countMalformed() }
        statistics.record(tally, of: reports, at: now)
        if _slowPath(recorder.looksForSchemes) {
            lookForSchemes(in: reports, recorder: &recorder, now: now)
        }
    }

    /// Records the reports of an extended event, each as the legacy event that it resembles. The copy costs
    /// less than a second version of the busiest code.
    @inline(never)
    public static func take(
        _ reports: ExtendedAdvertisingReports, recorder: inout Recorder, statistics: inout ScanStatistics,
        now: Instant
    ) {
        var rest = reports
        var event = FixedBuffer<266>()
        while rest.next(asLegacyEvent: &event) {
            take(
                AdvertisingReports(event.span), recorder: &recorder, statistics: &statistics, now: now)
        }
        if rest.isDamaged { recorder.countMalformed() }
    }

    @inline(__always)
    private static func take(_ report: AdvertisingReport, recorder: inout Recorder, now: Instant) {
        let found = recorder.lookUp(report.address)
        let recognition = HeraldRecognition(report.data)
        if let key = recognition.key {
            recorder.record(Sighting(report, recognition), from: key, now: now)
        } else {
            recorder.record(Sighting(report, recognition), of: found, now: now)
        }
        if recognition.isDamaged { recorder.countMalformed() }
    }

    // Out of line, because it is rare (see ``Recorder/looksForSchemes``).
    @inline(never)
    private static func lookForSchemes(
        in reports: AdvertisingReports, recorder: inout Recorder, now: Instant
    ) {
        recorder.looksForSchemes = false
        var reports = reports
        while let report = reports.next() { takeOther(report, recorder: &recorder, now: now) }
    }

    /// Searches a report, which was recorded as Herald reads it, for other schemes, and records what it
    /// finds.
    @inline(never)
    private static func takeOther(
        _ report: borrowing AdvertisingReport, recorder: inout Recorder, now: Instant
    ) {
        let recognition = HeraldRecognition(report.data)
        guard recognition.key == nil, let other = SchemeAdvert(report.data, among: recorder.heardHints) else {
            return
        }
        let sighting = Sighting(report, recognition).found(by: other.foundBy)
        guard other.foundBy != .emptyAdvert || recorder.isNearEnoughToProbe(sighting) else { return }
        recorder.record(sighting, naming: other.identity, now: now)
    }
}
