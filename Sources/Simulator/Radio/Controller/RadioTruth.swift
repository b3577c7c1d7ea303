import HCI

/// What a controller has really done, for comparison with what its board says.
public struct RadioTruth: Sendable {
    /// Advertising reports handed towards the host, and those the host has read.
    public internal(set) var reportsMade: UInt64 = 0
    public internal(set) var reportsTaken: UInt64 = 0
    /// For which the controller or the host's kernel had no room.
    public internal(set) var reportsLost: UInt64 = 0
    /// Which arrived with bytes lost or changed.
    public internal(set) var reportsDamaged: UInt64 = 0
    /// Of a stream, which made no packet for the agent that runs.
    public internal(set) var bytesSkipped: UInt64 = 0
    public internal(set) var lastReportTaken: SimulatedTime?
    /// With its data and its RSSI.
    public internal(set) var lastGoodReportTaken: SimulatedTime?
    public internal(set) var scanningSince: SimulatedTime?
    /// When it last stopped scanning.
    public internal(set) var scanningEnded: SimulatedTime?
    public internal(set) var advertisingSince: SimulatedTime?
    public internal(set) var timeScanned = SimulatedDuration.zero
    /// Whether ``scanIntervals`` is kept; it grows for as long as the world lasts.
    public var keepsScanIntervals = false
    /// When it scanned, oldest first, without the one that goes on.
    public internal(set) var scanIntervals: [ClosedRange<SimulatedTime>] = []
    public internal(set) var linkCount: UInt64 = 0
    /// Under which it has advertised.
    public internal(set) var addresses: Set<DeviceAddress> = []

    mutating func noteReportsTaken(_ count: UInt64, areGood isGood: Bool, at time: SimulatedTime) {
        reportsTaken &+= count
        lastReportTaken = time
        if isGood { lastGoodReportTaken = time }
    }

    mutating func noteScanning(_ isOn: Bool, at time: SimulatedTime) {
        if isOn {
            if scanningSince == nil { scanningSince = time }
        } else if let since = scanningSince {
            timeScanned = timeScanned + (time - since)
            if keepsScanIntervals { scanIntervals.append(since...time) }
            scanningSince = nil
            scanningEnded = time
        }
    }

    mutating func noteAdvertising(_ isOn: Bool, at time: SimulatedTime) {
        if !isOn { advertisingSince = nil } else if advertisingSince == nil { advertisingSince = time }
    }
}
