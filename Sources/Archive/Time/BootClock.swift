import FixedMemory

/// The facts that place one boot in time.
struct BootClock: Sendable, Equatable {
    let boot: UInt64
    /// When the agent started; nil if that entry is lost.
    let start: Instant?
    /// The first to the last known moment of the boot's monotonic clock; nil if none is known.
    let knownMoments: ClosedRange<Instant>?
    let anchors: [Anchor]
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
        var moments = recordedMoments
        moments += ownIdentities.map(\.instant) + messages.map(\.instant)
        moments += markers.map(\.instant) + batteryReadings.map(\.instant)
        for track in tracks {
            moments += track.identifications.map(\.instant)
            moments += [track.readings.first, track.readings.last].compactMap { $0?.time }
        }
        if let parameters { moments.append(parameters.start) }
        // A clock sample shows that the board ran at that time. It does not extend the boot to before its
        // other records.
        let readings = anchors.map(\.instant)
        guard let first = moments.min() ?? readings.min() else { return nil }
        return first...max(first, moments.max() ?? first, readings.max() ?? first)
    }

    /// The times that the board recorded while it scanned.
    var recordedMoments: [Instant] {
        var moments = coverage.flatMap { [$0.start, $0.end] }
        moments += radioIncidents.map(\.instant)
        for track in tracks {
            moments += [track.firstSighting, track.lastReading].compactMap(\.self)
            moments += [track.samples.map(\.start).min(), track.samples.map(\.end).max()].compactMap(\.self)
        }
        return moments
    }
}
