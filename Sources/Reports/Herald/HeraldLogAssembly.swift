import Archive

/// Derives Herald's log rows from a board's log. It invents nothing: data that the log lacks has no row.
///
/// If the board recorded every RSSI reading, each one becomes a measurement. Otherwise each sample becomes
/// one: its mean, at the time of its last reading.
public struct HeraldLogAssembly {
    /// Admits encounters that ended at or after `since` and began before `until`. They are exported whole,
    /// because a measurement only counts together with the row that identifies its device.
    public var sinceMilliseconds: Int64?
    public var untilMilliseconds: Int64?
    /// The payloads that belong to one device and appear as one in the log.
    public var names: HeraldNames

    public init(
        sinceMilliseconds: Int64? = nil, untilMilliseconds: Int64? = nil, names: HeraldNames = HeraldNames()
    ) {
        self.sinceMilliseconds = sinceMilliseconds
        self.untilMilliseconds = untilMilliseconds
        self.names = names
    }

    /// `ownPayload`: the board's own payload; by default the first one that the board logged as served.
    public func log(of history: BoardHistory, ownPayload: [UInt8]? = nil) -> HeraldLog {
        var builder = Builder(names: names)
        var undatedTrackCount = 0
        for (boot, placement) in zip(history.boots, history.placements()) {
            guard placement.isExact else {
                undatedTrackCount += boot.tracks.count
                continue
            }
            for track in boot.tracks {
                let track = track.placed(by: placement)
                if admits(track) {
                    builder.append(track, boot: boot.identifier)
                    builder.append(
                        shares(of: track.number, in: boot, placement), by: track, boot: boot.identifier)
                }
            }
        }
        let versions = history.boots.compactMap(\.parameters?.softwareVersion)
        return HeraldLog(
            board: history.board, model: history.name ?? "Tabard \(history.board.short)",
            softwareVersion: versions.last ?? "",
            ownName: (ownPayload ?? ownPayloads(of: history).first).map(names.name(of:)),
            rows: builder.rowsInOrder, devices: builder.devices, payloads: builder.payloads,
            undatedTrackCount: undatedTrackCount)
    }

    /// The payloads that a board served in the requested time, in order of time.
    public func ownPayloads(of history: BoardHistory) -> [[UInt8]] {
        zip(history.boots, history.placements()).flatMap { boot, placement -> [[UInt8]] in
            guard placement.isExact else { return [] }
            return boot.heraldPeriods(until: .max).compactMap { own, end in
                let began = placement.milliseconds(at: own.monotonicMilliseconds)
                let ended = end == .max ? end : placement.milliseconds(at: end)
                guard let identity = own.identity, identity.scheme.id == .herald,
                    ended > sinceMilliseconds ?? .min, began < untilMilliseconds ?? .max
                else { return nil }
                return identity.payload
            }
        }
    }

    /// The payloads that a track's device shared, with their wall times.
    private func shares(
        of track: UInt32, in boot: BootHistory, _ placement: BootPlacement
    ) -> [(milliseconds: Int64, payload: [UInt8])] {
        boot.messages.filter { $0.track == track }.flatMap { message in
            (boot.sharedPayloads(in: message) ?? []).map {
                (placement.milliseconds(at: message.monotonicMilliseconds), $0)
            }
        }
    }

    private func admits(_ track: RecordedTrack) -> Bool {
        let known = [track.firstSightingMilliseconds, track.lastReadingMilliseconds].compactMap(\.self)
        let times =
            known + track.samples.flatMap { [$0.startMilliseconds, $0.endMilliseconds] }
            + track.readings.map(\.milliseconds) + track.identifications.map(\.monotonicMilliseconds)
        guard let first = times.min(), let last = times.max() else { return false }
        return last >= sinceMilliseconds ?? .min && first < untilMilliseconds ?? .max
    }
}

private struct Builder {
    let names: HeraldNames
    private(set) var devices: [String] = []
    private(set) var payloads: [HeraldLogPayload] = []
    private var rows: [HeraldLogRow] = []
    private var indexOfDevice: [String: Int] = [:]
    private var indexOfPayload: [[UInt8]: Int] = [:]

    init(names: HeraldNames) { self.names = names }

    var rowsInOrder: [HeraldLogRow] {
        rows.enumerated().sorted { left, right in
            (left.element.milliseconds, left.element.rank, left.offset)
                < (right.element.milliseconds, right.element.rank, right.offset)
        }.map(\.element)
    }

    /// Appends a track whose times are wall times.
    mutating func append(_ track: RecordedTrack, boot: UInt64) {
        let device = device(of: track, boot: boot)
        func add(_ milliseconds: Int64, _ content: HeraldLogRow.Content) {
            rows.append(HeraldLogRow(milliseconds: milliseconds, device: device, content: content))
        }
        if let first = track.firstSightingMilliseconds { add(first, .detect) }
        let identifications = track.identifications.filter {
            $0.identity.scheme.id == .herald && $0.identity.lostHash == nil
        }
        if let first = identifications.first { add(first.monotonicMilliseconds, .detectHerald) }
        for identification in identifications {
            add(identification.monotonicMilliseconds, .read(index(of: identification.identity.payload)))
        }
        for (milliseconds, rssi) in TrackMeasurements(track).all { add(milliseconds, .measure(rssi)) }
        if let last = track.lastReadingMilliseconds { add(last, .delete) }
    }

    mutating func append(
        _ shares: [(milliseconds: Int64, payload: [UInt8])], by track: RecordedTrack, boot: UInt64
    ) {
        for (milliseconds, payload) in shares {
            rows.append(
                HeraldLogRow(
                    milliseconds: milliseconds, device: device(of: track, boot: boot),
                    content: .share(index(of: payload))))
        }
    }

    /// The index of the device. Its name is the address, or, if that is lost, a name that cannot be taken for
    /// an address.
    private mutating func device(of track: RecordedTrack, boot: UInt64) -> Int {
        let name = track.address?.text ?? "\(TimeText.boot(boot))/\(track.number)"
        if let index = indexOfDevice[name] { return index }
        indexOfDevice[name] = devices.count
        devices.append(name)
        return devices.count - 1
    }

    private mutating func index(of served: [UInt8]) -> Int {
        let payload = names.payload(standingFor: served)
        if let index = indexOfPayload[payload] { return index }
        indexOfPayload[payload] = payloads.count
        payloads.append(HeraldLogPayload(payload))
        return payloads.count - 1
    }
}

extension BootPlacement {
    /// True unless only the order of boots gives the times: Herald's logs cannot express such an error, so
    /// these boots are omitted.
    fileprivate var isExact: Bool { isOnWallClock && basis != .order }
}

extension RecordedTrack {
    fileprivate func placed(by placement: BootPlacement) -> RecordedTrack {
        var track = self
        track.firstSightingMilliseconds = firstSightingMilliseconds.map(placement.milliseconds(at:))
        track.lastReadingMilliseconds = lastReadingMilliseconds.map(placement.milliseconds(at:))
        for index in track.samples.indices {
            let sample = track.samples[index]
            track.samples[index].startMilliseconds = placement.milliseconds(at: sample.startMilliseconds)
            track.samples[index].endMilliseconds = placement.milliseconds(at: sample.endMilliseconds)
        }
        for index in track.readings.indices {
            track.readings[index].milliseconds = placement.milliseconds(
                at: track.readings[index].milliseconds)
        }
        for index in track.identifications.indices {
            let moment = track.identifications[index].monotonicMilliseconds
            track.identifications[index].monotonicMilliseconds = placement.milliseconds(at: moment)
        }
        return track
    }
}
