import HCI

/// The true activity of a controller, for comparison with its board's records.
public struct RadioTruth: Sendable {
    /// The advertising reports sent towards the host.
    public internal(set) var reportsMade: UInt64 = 0
    /// The advertising reports that the host has read.
    public internal(set) var reportsTaken: UInt64 = 0
    /// The reports with data and RSSI that the host has read.
    public internal(set) var goodReportsTaken: UInt64 = 0
    /// The reports lost because the controller or the host's kernel had no space.
    public internal(set) var reportsLost: UInt64 = 0
    /// The reports that arrived with bytes missing or changed.
    public internal(set) var reportsDamaged: UInt64 = 0
    /// The bytes of a stream from which the current agent could make no packet.
    public internal(set) var bytesSkipped: UInt64 = 0
    public internal(set) var lastReportTaken: SimulatedTime?
    /// When the host last read a report with data and RSSI.
    public internal(set) var lastGoodReportTaken: SimulatedTime?
    public internal(set) var scanningSince: SimulatedTime?
    public internal(set) var scanStarts: UInt64 = 0
    /// When the controller last stopped scanning.
    public internal(set) var scanningEnded: SimulatedTime?
    public internal(set) var advertisingSince: SimulatedTime?
    public internal(set) var timeScanned = SimulatedDuration.zero
    /// The seconds for which the receiver was on in scan windows, of connection attempts too.
    public private(set) var secondsListened = 0.0
    /// The same without connection attempts.
    public private(set) var secondsListenedInScans = 0.0
    private var listening = (share: 0.0, isScan: false, since: SimulatedTime.zero)
    /// Whether ``scanIntervals`` is recorded. It grows during the whole run.
    public var keepsScanIntervals = false
    /// When the controller scanned, oldest first, without the current scan.
    public internal(set) var scanIntervals: [ClosedRange<SimulatedTime>] = []
    /// Whether the host has received a refusal of scan parameters during a scan since it opened the
    /// transport, so that it knows what an acceptance means. A corrupted stream may lose or change a refusal.
    public internal(set) var hasProvedScan = false
    public internal(set) var linkCount: UInt64 = 0
    /// The addresses that the controller has advertised with.
    public internal(set) var addresses: Set<DeviceAddress> = []

    mutating func recordReports(_ count: UInt64, areGood isGood: Bool, at time: SimulatedTime) {
        reportsTaken &+= count
        lastReportTaken = time
        guard isGood else { return }
        lastGoodReportTaken = time
        goodReportsTaken &+= count
    }

    mutating func recordScanning(_ isOn: Bool, at time: SimulatedTime) {
        if isOn {
            guard scanningSince == nil else { return }
            scanningSince = time
            scanStarts &+= 1
        } else if let since = scanningSince {
            timeScanned = timeScanned + (time - since)
            if keepsScanIntervals { scanIntervals.append(since...time) }
            scanningSince = nil
            scanningEnded = time
        }
    }

    /// Records the share of the time for which the receiver is on from now on.
    mutating func recordListening(share: Double, isScan: Bool, at time: SimulatedTime) {
        let seconds = listening.share * (time - listening.since).seconds
        secondsListened += seconds
        if listening.isScan { secondsListenedInScans += seconds }
        listening = (share, isScan, time)
    }

    mutating func recordAdvertising(_ isOn: Bool, at time: SimulatedTime) {
        if !isOn { advertisingSince = nil } else if advertisingSince == nil { advertisingSince = time }
    }
}
