import FixedMemory
import HCI

/// Counts of the packets from the controller, and the times of the last ones. All counts wrap around, so
/// only differences of them have a meaning.
public struct ScanStatistics: BitwiseCopyable {
    public init() {}

    /// Reports with data and RSSI, without scan responses; also those that come while the radio is down.
    private(set) var goodReports: UInt32 = 0
    private(set) var scanResponses: UInt32 = 0
    private(set) var extendedReportEvents: UInt32 = 0
    /// Reports without data or RSSI since the last good one.
    private(set) var emptyReports = EmptyReports()
    private var lastGoodReport = Self.never
    private var firstGoodReport = Self.never
    /// When the controller last answered a command.
    private(set) var lastAnswer = Instant.start
    /// When the last packet of any kind arrived.
    private(set) var lastPacket = Instant.start

    var reports: UInt32 { goodReports &+ scanResponses &+ emptyReports.total }

    /// Not an optional, which would take twice the room and time.
    private static let never = Instant.distantFuture

    /// When the last good report came; nil before the first.
    package var lastGood: Instant? { lastGoodReport == Self.never ? nil : lastGoodReport }

    /// When the first good report came after the last renewal of the scan; nil if none came.
    package var firstGood: Instant? { firstGoodReport == Self.never ? nil : firstGoodReport }

    /// The reports of a single event. It may cost only a few instructions for each report, because it is
    /// part of the scan path (docs/bounds.md).
    package struct Tally: BitwiseCopyable {
        var goodReports: UInt32 = 0
        var scanResponses: UInt32 = 0
        var emptyReports: UInt32 = 0

        @inline(__always)
        mutating func add(_ report: borrowing AdvertisingReport) {
            if _slowPath(report.kind == .scanResponse) {
                scanResponses &+= 1
            } else if _fastPath(report.data.count > 0), _fastPath(report.rssi != nil) {
                goodReports &+= 1
            } else {
                emptyReports &+= 1
            }
        }
    }

    /// Whether an advert's report has no data or no RSSI.
    @inline(__always)
    static func isEmpty(_ report: borrowing AdvertisingReport) -> Bool {
        report.kind != .scanResponse && (report.data.isEmpty || report.rssi == nil)
    }

    @inline(__always)
    mutating func record(_ tally: Tally, of reports: AdvertisingReports, at now: Instant) {
        if _slowPath(tally.emptyReports > 0) { emptyReports.record(reports, now: now) }
        scanResponses &+= tally.scanResponses
        if tally.goodReports > 0 {
            goodReports &+= tally.goodReports
            emptyReports.forget()
            lastGoodReport = now
            firstGoodReport = min(firstGoodReport, now)
        }
    }

    /// Counts reports that come while the radio is down. They show who is near, but not how the radio is.
    mutating func recordLate(_ reports: ScanStatistics) { goodReports &+= reports.goodReports }

    /// Records a renewal of the scan. Only later reports show whether it has helped.
    package mutating func recordRenewal() {
        emptyReports.forget()
        firstGoodReport = Self.never
    }

    mutating func recordExtendedReports() { extendedReportEvents &+= 1 }

    mutating func didReceiveAnswer(at now: Instant) { lastAnswer = now }

    mutating func didReceivePacket(at now: Instant) { lastPacket = now }
}
