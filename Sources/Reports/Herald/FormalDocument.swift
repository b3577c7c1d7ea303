import Analysis
import Foundation
import TextFormats

/// The results of Herald's formal test for programs. Times are by the clock of the logs.
public struct FormalDocument: Encodable, Sendable, Equatable {
    public struct Device: Encodable, Sendable, Equatable {
        public let name: String
        public let model: String
        public let system: String
        public let systemVersion: String
        public let shortName: String
    }

    public struct Pair: Encodable, Sendable, Equatable {
        public let observer: String
        public let observed: String
        public let isDetected: Bool
        public let windows: Int
        public let missedPercent: Double
    }

    public struct Share: Encodable, Sendable, Equatable {
        public let achieved: Int
        public let maximum: Int
        public let percent: Double
    }

    public struct Longevity: Encodable, Sendable, Equatable {
        public let firstHourWindows: Int
        public let lastHourWindows: Int
        public let maximumHourWindows: Int
        public let errorPercent: Double
        public let percent: Double
    }

    public let start: String
    public let end: String
    public let windowSeconds: Int
    public let windowsPerPair: Int
    public let devices: [Device]
    public let pairs: [Pair]
    public let detection: Share
    public let continuity: Share
    public let missedPercent: Double
    public let longevity: Longevity

    public init(_ result: FormalResult) {
        start = CivilTime.text(result.test.startSeconds)
        end = CivilTime.text(result.test.endSeconds)
        windowSeconds = Int(FormalTest.windowSeconds)
        windowsPerPair = result.maximumWindowCountPerPair
        devices = result.devices.map {
            Device(
                name: $0.name, model: $0.model, system: $0.system, systemVersion: $0.systemVersion,
                shortName: $0.shortName)
        }
        pairs = result.pairs.map { pair in
            let share = Double(pair.windowCount) / Double(result.maximumWindowCountPerPair)
            return Pair(
                observer: result.devices[pair.observer].name, observed: result.devices[pair.observed].name,
                isDetected: pair.isDetected, windows: pair.windowCount, missedPercent: 100 - 100 * share)
        }
        detection = Share(
            achieved: result.detectedPairCount, maximum: result.maximumPairCount,
            percent: result.detectionPercent)
        continuity = Share(
            achieved: result.windowCount, maximum: result.maximumWindowCount,
            percent: result.continuityPercent)
        missedPercent = result.missedWindowPercent
        longevity = Longevity(
            firstHourWindows: result.firstHourWindowCount, lastHourWindows: result.lastHourWindowCount,
            maximumHourWindows: result.maximumHourWindowCount, errorPercent: result.longevityErrorPercent,
            percent: result.longevityPercent)
    }

    public func json() throws -> Data {
        try PrintedJSON.data(self, PrintedSchema("formal-test"))
    }
}
