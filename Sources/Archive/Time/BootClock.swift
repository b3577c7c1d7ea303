import FixedMemory

/// The facts that place one boot in time.
struct BootClock: Sendable, Equatable {
    let boot: UInt64
    /// When the agent started; nil if that entry is lost.
    let start: Instant?
    /// The first to the last known moment of the boot's monotonic clock; nil if none is known.
    let knownMoments: ClosedRange<Instant>?
    let anchors: [Anchor]

    /// The first to the last known moment of a boot; nil if nothing is known.
    ///
    /// - Parameter recorded: the first to the last moment of its records.
    static func knownMoments(
        recorded: ClosedRange<Instant>?, _ anchors: [Anchor]
    ) -> ClosedRange<Instant>? {
        // A clock sample shows that the board ran at that time. It does not extend the boot to before its
        // other records.
        let samples = anchors.map(\.instant)
        guard let first = recorded?.lowerBound ?? samples.min() else { return nil }
        return first...max(recorded?.upperBound ?? first, samples.max() ?? first, first)
    }
}

extension BootHistory {
    var clock: BootClock {
        BootClock(boot: identifier, start: parameters?.start, knownMoments: knownMoments, anchors: anchors)
    }
}

extension BoardHistory {
    /// The placement of each boot, in the order of `boots`.
    public func placements() -> [BootPlacement] { BoardClockFit(boots.map(\.clock)).placements() }
}

extension BootHistory {
    /// The first to the last known moment; nil if nothing is known.
    public var knownMoments: ClosedRange<Instant>? {
        if let moments { return BootClock.knownMoments(recorded: moments.recorded, anchors) }
        var moments = recordedMoments
        moments += ownIdentities.map(\.instant) + messages.map(\.instant)
        moments += markers.map(\.instant) + batteryReadings.map(\.instant)
        for track in tracks { moments += track.identifications.map(\.instant) }
        if let parameters { moments.append(parameters.start) }
        let recorded = moments.min().flatMap { first in moments.max().map { first...$0 } }
        return BootClock.knownMoments(recorded: recorded, anchors)
    }

    /// The times that the board recorded while it scanned.
    var recordedMoments: [Instant] {
        var moments = coverage.flatMap { [$0.start, $0.end] }
        moments += radioIncidents.map(\.instant)
        if let heard = self.moments?.heard { moments += [heard.lowerBound, heard.upperBound] }
        for track in tracks {
            moments += [track.firstSighting, track.lastReading].compactMap(\.self)
            moments += [track.samples.map(\.start).min(), track.samples.map(\.end).max()].compactMap(\.self)
        }
        return moments
    }
}
