import Archive
import FixedMemory
import LogContents

/// Derives Herald's log rows from a board's log. It invents nothing: data that the log lacks has no row.
///
/// If the board recorded every RSSI reading, each one becomes a measurement. Otherwise each sample becomes
/// one: its mean, at the time of its last reading.
public struct HeraldLogAssembly {
    /// Admits encounters that ended at or after `since` and began before `until`. They are exported whole,
    /// because a measurement only counts together with the row that identifies its device.
    public var since: WallClockTime?
    public var until: WallClockTime?
    /// The payloads that belong to one device and appear as one in the log.
    public var names: HeraldNames

    public init(
        since: WallClockTime? = nil, until: WallClockTime? = nil, names: HeraldNames = HeraldNames()
    ) {
        self.since = since
        self.until = until
        self.names = names
    }

    /// `ownPayload`: the board's own payload; by default the first one that the board logged as served.
    public func log(of history: BoardHistory, ownPayload: [UInt8]? = nil) -> HeraldLog {
        var builder = Builder(names: names)
        var batteryRows: [HeraldBatteryRow] = []
        var undatedTrackCount = 0
        for (boot, placement) in zip(history.boots, history.placements()) {
            guard let clock = placement.exactClock else {
                undatedTrackCount += boot.tracks.count
                continue
            }
            batteryRows += self.batteryRows(of: boot, clock)
            for track in boot.tracks {
                let track = HeraldTrack(track, clock)
                if admits(track) {
                    builder.append(track, boot: boot.identifier)
                    builder.append(
                        shares(of: track.number, in: boot, clock), by: track, boot: boot.identifier)
                }
            }
        }
        let versions = history.boots.compactMap(\.parameters?.softwareVersion)
        return HeraldLog(
            board: history.board,
            model: history.name.map(OneLineText.text) ?? "Tabard \(history.board.short)",
            softwareVersion: versions.last ?? "",
            ownName: (ownPayload ?? ownPayloads(of: history).first).map(names.name(of:)),
            rows: builder.rowsInOrder, devices: builder.devices, payloads: builder.payloads,
            batteryRows: batteryRows.sorted { $0.time < $1.time },
            undatedTrackCount: undatedTrackCount)
    }

    /// The payloads that a board served in the requested time, in order of time.
    public func ownPayloads(of history: BoardHistory) -> [[UInt8]] {
        zip(history.boots, history.placements()).flatMap { boot, placement -> [[UInt8]] in
            guard let clock = placement.exactClock else { return [] }
            return boot.heraldPeriods(until: .distantFuture).compactMap { own, end in
                guard let identity = own.identity, identity.scheme.id == .herald,
                    since.map({ end == .distantFuture || clock(end) > $0 }) ?? true,
                    until.map({ clock(own.instant) < $0 }) ?? true
                else { return nil }
                return identity.payload
            }
        }
    }

    /// The payloads that a track's device shared, with their wall times.
    private func shares(
        of track: UInt32, in boot: BootHistory, _ clock: (Instant) -> WallClockTime
    ) -> [(time: WallClockTime, payload: [UInt8])] {
        boot.messages.filter { $0.track == track }.flatMap { message in
            (boot.sharedPayloads(in: message) ?? []).map {
                (clock(message.instant), $0)
            }
        }
    }

    /// The battery's readings with a charge in the requested time. Readings without one have no row, because
    /// Herald's have nothing else.
    private func batteryRows(
        of boot: BootHistory, _ clock: (Instant) -> WallClockTime
    ) -> [HeraldBatteryRow] {
        boot.batteryReadings.compactMap { entry in
            let time = clock(entry.instant)
            guard let percent = entry.reading.percent, since.map({ time >= $0 }) ?? true,
                until.map({ time < $0 }) ?? true
            else { return nil }
            let isExternal = entry.reading.state == .charging || entry.reading.state == .idle
            return HeraldBatteryRow(time: time, isExternal: isExternal, percent: percent)
        }
    }

    private func admits(_ track: HeraldTrack) -> Bool {
        let known = [track.firstSighting, track.lastReading].compactMap(\.self)
        let times =
            known + track.samples.flatMap { [$0.start, $0.end] }
            + track.readings.map(\.time) + track.identifications.map(\.time)
        guard let first = times.min(), let last = times.max() else { return false }
        return since.map { last >= $0 } ?? true && until.map { first < $0 } ?? true
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
            (left.element.time, left.element.rank, left.offset)
                < (right.element.time, right.element.rank, right.offset)
        }.map(\.element)
    }

    /// Appends a track.
    mutating func append(_ track: HeraldTrack, boot: UInt64) {
        let device = device(of: track, boot: boot)
        func add(_ time: WallClockTime, _ content: HeraldLogRow.Content) {
            rows.append(HeraldLogRow(time: time, device: device, content: content))
        }
        if let first = track.firstSighting { add(first, .detect) }
        let identifications = track.identifications.filter {
            $0.identity.scheme.id == .herald && $0.identity.lostHash == nil
        }
        if let first = identifications.first { add(first.time, .detectHerald) }
        for identification in identifications {
            add(identification.time, .read(index(of: identification.identity.payload)))
        }
        for (time, rssi) in TrackMeasurements(track).all { add(time, .measure(rssi)) }
        if let last = track.lastReading { add(last, .delete) }
    }

    mutating func append(
        _ shares: [(time: WallClockTime, payload: [UInt8])], by track: HeraldTrack, boot: UInt64
    ) {
        for (time, payload) in shares {
            rows.append(
                HeraldLogRow(
                    time: time, device: device(of: track, boot: boot),
                    content: .share(index(of: payload))))
        }
    }

    /// The index of the device. Its name is the address, or, if that is lost, a name that cannot be taken for
    /// an address.
    private mutating func device(of track: HeraldTrack, boot: UInt64) -> Int {
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
    /// Converts to wall time; nil without a clock, and if only the order of boots gives the times. Herald's
    /// logs cannot express such an error, so these boots are omitted.
    fileprivate var exactClock: ((Instant) -> WallClockTime)? {
        guard isOnWallClock, basis != .order else { return nil }
        return { WallClockTime(clamping: point(at: $0).milliseconds) }
    }
}
