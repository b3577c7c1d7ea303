import TextFormats

/// Herald's formal test: how completely the devices of a test detected each other.
///
/// The rules are those of `TestAnalysis.R` (herald-analysis), including its quirks, so that figures can be
/// compared with the published ones:
/// - Windows are counted for each observer and observed device. The observer's first contact after the start
///   begins its first window, so one pair can have one window more than fit.
/// - Longevity compares the first and the last hour, in windows of all observers together for each observed
///   device, but divides by the number of ordered pairs.
///
/// Times are seconds of the logs' clock, which all devices must share.
public struct FormalTest: Sendable, Equatable {
    /// From the last device's joining to the first device's leaving; both inclusive.
    public var startSeconds: Int64
    public var endSeconds: Int64
    /// From the beginning of the setup to the end. A pair that met within it counts as detected, and
    /// longevity compares its first and last hour. The 2020 script used a longer period here; later ones use
    /// the test's own.
    public var outerStartSeconds: Int64
    public var outerEndSeconds: Int64
    public static let windowSeconds: Int64 = 30

    /// Nil unless the end is after the start.
    public init?(startSeconds: Int64, endSeconds: Int64) {
        guard startSeconds < endSeconds else { return nil }
        self.startSeconds = startSeconds
        self.endSeconds = endSeconds
        outerStartSeconds = startSeconds
        outerEndSeconds = endSeconds
    }

    /// The period in which every device wrote its log; nil if there is none.
    public init?(sharedBy observations: [FormalObservations]) {
        guard let start = observations.map({ $0.firstSecond ?? .max }).max(), start != .max,
            let end = observations.compactMap(\.lastSecond).min()
        else { return nil }
        self.init(startSeconds: start, endSeconds: end)
    }

    public func result(of participants: [FormalParticipant]) -> FormalResult {
        var pairs: [FormalPair] = []
        var heardAnywhere = [[Int64]](repeating: [], count: participants.count)
        for (number, observer) in participants.enumerated() where observer.observes {
            var times = [[Int64]](repeating: [], count: participants.count)
            for other in participants.indices where other != number {
                times[other] = contactTimes(of: participants[other].device, by: observer)
                heardAnywhere[other] += times[other]
            }
            guard let origin = times.joined().min() else {
                pairs += unheard(by: number, among: participants)
                continue
            }
            for other in participants.indices where other != number {
                pairs.append(
                    FormalPair(
                        observer: number, observed: other,
                        isDetected: isDetected(participants[other].device, by: observer),
                        windowCount: windows(times[other], from: origin)))
            }
        }
        let firstHour = hourWindows(heardAnywhere, from: outerStartSeconds)
        let lastHour = hourWindows(heardAnywhere, from: outerEndSeconds - Self.hour)
        return FormalResult(
            test: self, devices: participants.map(\.device),
            observerCount: participants.count { $0.observes }, pairs: pairs,
            firstHourWindowCount: firstHour.all, lastHourWindowCount: lastHour.all,
            firstHourExtraWindowCount: firstHour.extra, lastHourExtraWindowCount: lastHour.extra)
    }

    static let hour: Int64 = 3_600

    private func contactTimes(of device: FormalDevice, by observer: FormalParticipant) -> [Int64] {
        let times =
            observer.observations.measurements(of: device.shortName)
            + observer.observations.shares(of: device.shortName)
        return times.filter { startSeconds <= $0 && $0 <= endSeconds }
    }

    private func isDetected(_ device: FormalDevice, by observer: FormalParticipant) -> Bool {
        // Shares count at any time.
        !observer.observations.shares(of: device.shortName).isEmpty
            || observer.observations.measurements(of: device.shortName)
                .contains { outerStartSeconds <= $0 && $0 <= outerEndSeconds }
    }

    private func unheard(by observer: Int, among participants: [FormalParticipant]) -> [FormalPair] {
        participants.indices.filter { $0 != observer }.map { other in
            FormalPair(
                observer: observer, observed: other,
                isDetected: isDetected(participants[other].device, by: participants[observer]),
                windowCount: 0)
        }
    }

    private func windows(_ times: [Int64], from origin: Int64) -> Int {
        Set(times.map { CivilTime.floor($0 - origin, by: Self.windowSeconds) }).count
    }

    /// Counts the windows of one hour, of all devices together; the first contact in the hour begins the
    /// first window. The extra ones begin when that hour is over.
    private func hourWindows(_ times: [[Int64]], from start: Int64) -> (all: Int, extra: Int) {
        let inHour = times.map { $0.filter { start <= $0 && $0 <= start + Self.hour } }
        guard let origin = inHour.joined().min() else { return (0, 0) }
        let extra = inHour.count { $0.contains(origin + Self.hour) }
        return (inHour.reduce(0) { $0 + windows($1, from: origin) }, extra)
    }
}

/// One device and its log.
public struct FormalParticipant: Sendable {
    public var device: FormalDevice
    public var observations: FormalObservations
    /// Whether it keeps a log. A device without one can only be observed.
    public var observes: Bool

    public init(device: FormalDevice, observations: FormalObservations, observes: Bool = true) {
        self.device = device
        self.observations = observations
        self.observes = observes
    }
}
