import HCI

/// What comes from the controller, counted where it comes in. All counts wrap around. Whoever judges takes differences.
public struct Hearing: BitwiseCopyable {
    public init() {}

    private(set) var reports: UInt32 = 0
    /// Those with data and signal strength that are no scan responses.
    private(set) var goodReports: UInt32 = 0
    private(set) var scanResponses: UInt32 = 0
    private(set) var extendedReportEvents: UInt32 = 0
    /// Reports that came since the last good one.
    private(set) var emptyReports: UInt32 = 0
    /// When the last good report came; nil before the first.
    private(set) var lastGoodMilliseconds: UInt64?
    /// When the first one came after the scan was last set up anew to mend something.
    private(set) var firstGoodMilliseconds: UInt64?
    /// When the controller last answered a command.
    private(set) var lastAnswerMilliseconds: UInt64 = 0
    /// When anything came at all.
    private(set) var lastPacketMilliseconds: UInt64 = 0

    /// What a single event brought. A few instructions for each report, no more: this is the scan path (docs/bounds.md).
    struct Tally: BitwiseCopyable {
        var reports: UInt32 = 0
        var goodReports: UInt32 = 0
        var scanResponses: UInt32 = 0

        @inline(__always)
        mutating func add(_ report: borrowing AdvertisingReport) {
            reports &+= 1
            if report.kind == .scanResponse {
                scanResponses &+= 1
            } else if report.data.count > 0, report.rssi != nil {
                goodReports &+= 1
            }
        }
    }

    mutating func note(_ tally: Tally, atMilliseconds now: UInt64) {
        reports &+= tally.reports
        goodReports &+= tally.goodReports
        scanResponses &+= tally.scanResponses
        if tally.goodReports > 0 {
            emptyReports = 0
            lastGoodMilliseconds = now
            if firstGoodMilliseconds == nil { firstGoodMilliseconds = now }
        } else {
            emptyReports &+= tally.reports &- tally.scanResponses
        }
    }

    /// What comes from now on tells whether the radio was mended.
    mutating func noteRenewal() {
        emptyReports = 0
        firstGoodMilliseconds = nil
    }

    mutating func noteExtendedReports() { extendedReportEvents &+= 1 }

    mutating func noteAnswer(atMilliseconds now: UInt64) { lastAnswerMilliseconds = now }

    mutating func notePacket(atMilliseconds now: UInt64) { lastPacketMilliseconds = now }
}
