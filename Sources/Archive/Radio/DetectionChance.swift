import EncounterLog
import FixedMemory
import Foundation

/// How surely a board hears a sender near it, by its scan timing alone: an advert is heard if it begins in a
/// scan window. Walls and bodies make it less.
public struct DetectionChance: Sendable, Equatable {
    /// The chance that the board hears one advert, above 0 and at most 1.
    public let perAdvert: Double

    /// Nil for a timing that no controller accepts, as a damaged log may have it.
    public init?(_ timing: ScanTiming) {
        guard timing.windowSlots > 0, timing.intervalSlots > 0 else { return nil }
        perAdvert = min(1, Double(timing.windowSlots) / Double(timing.intervalSlots))
    }

    /// The chance that the board hears the sender at least once within `length`.
    /// - Parameter senderInterval: the advertising interval of the sender.
    public func chance(within length: Interval, senderInterval: Interval) -> Double {
        let adverts = Double(length.milliseconds) / Double(max(senderInterval.milliseconds, 1))
        return 1 - pow(1 - perAdvert, adverts)
    }

    /// The time in which the board hears the sender with this chance: at least one advertising interval.
    public func length(forChance chance: Double, senderInterval: Interval) -> Interval {
        guard perAdvert < 1 else { return senderInterval }
        let adverts = max(1, log(1 - chance) / log(1 - perAdvert))
        return .milliseconds(UInt64((adverts * Double(senderInterval.milliseconds)).rounded(.up)))
    }
}

extension CoverageTimeline {
    /// The scan timings of the covered time, each once, the sparsest first.
    public var timings: [ScanTiming] {
        var found: [ScanTiming] = []
        for interval in covered {
            guard let timing = interval.timing, !found.contains(timing) else { continue }
            found.append(timing)
        }
        return found.sorted { $0.isSparser(than: $1) }
    }
}
