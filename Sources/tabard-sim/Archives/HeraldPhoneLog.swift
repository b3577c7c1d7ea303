import Archive
import Cryptography
import EncounterLog
import FixedMemory
import FlashSimulator
import Foundation

/// The log that a board would have written in a Herald phone's place: the phone's RSSI readings, payloads and
/// times, in the board's entries.
struct HeraldPhoneLog {
    private let number: Int
    private let phone: HeraldPhone
    private let board: SampleBoard
    private var entries: [(at: Instant, entry: LogEntry)] = []
    private var lastEncounter: UInt32 = 0

    private static let sampleLength = Interval.seconds(30)
    /// A device that is silent for longer begins another encounter.
    private static let longestSilenceSeconds: Int64 = 300
    /// More than a reading takes.
    private static let eventByteCount = 32

    init(_ number: Int, _ phone: HeraldPhone) throws {
        self.number = number
        self.phone = phone
        let eventCount = phone.events.reduce(0) { $0 + $1.value.count }
        board = try SampleBoard(number, named: phone.device.name, byteCount: eventCount * Self.eventByteCount)
        for device in phone.events.keys.sorted() { append(phone.events[device, default: []], of: device) }
    }

    /// Writes the log by the board's own code, and stores it as a fetch does.
    func store(in archive: Archive) throws {
        let boot = RandomStream.mix(UInt64(number) + 1)
        var log = try EncounterLog(
            mounting: BenchFlash(board.chip), newLogIdentity: board.identity, bootIdentifier: boot)
        try log.append(
            .boot(
                BootEntry(
                    bootIdentifier: boot, instant: .start, softwareVersion: Bytes(),
                    sampleLength: Self.sampleLength,
                    encounterTimeout: .seconds(UInt64(Self.longestSilenceSeconds)),
                    lossWindow: .seconds(30),
                    role: .wearable)), now: .start)
        let end = instant(phone.lastSecond + 1)
        try append(anchorAt: .start, to: &log)
        let own = HeraldPhone.payload(named: phone.device.shortName)
        try log.append(
            .ownIdentity(
                OwnIdentityEntry(
                    instant: .start, address: Bytes(), addressType: 1, scheme: SchemeCode(.herald),
                    identity: FixedBuffer(own.span) ?? FixedBuffer())), now: .start)
        // Entries of one moment stay in their order.
        let inOrder = entries.enumerated().sorted { ($0.element.at, $0.offset) < ($1.element.at, $1.offset) }
        for (at, entry) in inOrder.map(\.element) { try log.append(entry, now: at) }
        let reports = UInt32(clamping: entries.count)
        try log.append(
            .coverage(
                CoverageEntry(
                    start: .start, end: end, reports: reports, malformed: 0, dropped: 0, evicted: 0)),
            now: end)
        try append(anchorAt: end, to: &log)
        try log.commit()
        try board.store(&log, fetchedAt: wallClock(at: end), in: archive)
    }

    private func append(
        anchorAt instant: Instant, to log: inout EncounterLog<BenchFlash>
    ) throws {
        try log.append(
            .anchor(
                AnchorEntry(
                    instant: instant, wallClock: wallClock(at: instant), errorMilliseconds: 1, source: .host)),
            now: instant)
    }

    // MARK: Times

    /// In the middle of a second of the phone's log, so that a clock sample's error does not move it to
    /// another one.
    private func instant(_ seconds: Int64) -> Instant {
        .start + .milliseconds(UInt64(max(0, seconds - phone.firstSecond)) * 1_000 + 500)
    }

    private func wallClock(at instant: Instant) -> WallClockTime {
        WallClockTime(milliseconds: UInt64(phone.firstSecond) * 1_000 + (instant - .start).milliseconds)
    }

    // MARK: Encounters

    /// Herald's scripts count a measurement for each payload that was ever read from the device, even later.
    /// So each encounter has them all from its start.
    private mutating func append(_ events: [HeraldPhone.Event], of device: String) {
        var names: [String] = []
        for case .payload(let name) in events.map(\.content) where !names.contains(name) {
            names.append(name)
        }
        let events = events.sorted { $0.seconds < $1.seconds }
        var first = 0
        for index in events.indices {
            let next = index + 1
            guard
                next == events.count
                    || events[next].seconds - events[index].seconds > Self.longestSilenceSeconds
            else { continue }
            appendEncounter(events[first..<next], with: names, of: device)
            first = next
        }
    }

    private mutating func appendEncounter(
        _ events: ArraySlice<HeraldPhone.Event>, with names: [String], of device: String
    ) {
        guard let first = events.first, let last = events.last else { return }
        lastEncounter += 1
        let encounter = lastEncounter
        let (start, end) = (instant(first.seconds), instant(last.seconds))
        add(
            .encounterOpened(
                EncounterOpenedEntry(
                    encounter: encounter, instant: start, address: Self.address(device), addressType: 1,
                    foundBy: .heraldService)), at: start)
        for name in names {
            let payload = HeraldPhone.payload(named: name)
            add(
                .encounterIdentified(
                    EncounterIdentifiedEntry(
                        encounter: encounter, instant: start, scheme: SchemeCode(.herald),
                        identity: FixedBuffer(payload.span) ?? FixedBuffer())), at: start)
        }
        var readings: [(at: Instant, rssiDBm: Int8)] = []
        for event in events {
            switch event.content {
            case .rssi(let rssiDBm): readings.append((instant(event.seconds), rssiDBm))
            case .sharedPayload(let name):
                let payload = HeraldPhone.payload(named: name)
                add(
                    .sharedPayloads(
                        SharedPayloadsEntry(
                            encounter: encounter, instant: instant(event.seconds),
                            rssiDBm: SharedPayloadsEntry.unknownRSSIDBm,
                            payloads: FixedBuffer(payload.span) ?? FixedBuffer())), at: instant(event.seconds)
                )
            case .detection, .payload: break
            }
        }
        appendReadings(readings, of: encounter)
        appendSamples(readings, of: encounter)
        add(
            .encounterClosed(
                EncounterClosedEntry(encounter: encounter, instant: end, readings: UInt32(readings.count))),
            at: end)
    }

    private mutating func appendReadings(_ readings: [(at: Instant, rssiDBm: Int8)], of encounter: UInt32) {
        var packed = PackedReadings()
        for reading in readings where !packed.append(rssiDBm: reading.rssiDBm, at: reading.at) {
            add(.readings(ReadingsEntry(encounter: encounter, readings: packed)), at: packed.end)
            packed = PackedReadings()
            _ = packed.append(rssiDBm: reading.rssiDBm, at: reading.at)
        }
        if !packed.isEmpty {
            add(.readings(ReadingsEntry(encounter: encounter, readings: packed)), at: packed.end)
        }
    }

    private mutating func appendSamples(_ readings: [(at: Instant, rssiDBm: Int8)], of encounter: UInt32) {
        let samples = Dictionary(grouping: readings) { $0.at.milliseconds / Self.sampleLength.milliseconds }
        for number in samples.keys.sorted() {
            guard let bucket = samples[number], let first = bucket.first, let last = bucket.last else {
                continue
            }
            let values = bucket.map { Int($0.rssiDBm) }
            add(
                .sample(
                    SampleEntry(
                        encounter: encounter, start: first.at, end: last.at,
                        readings: UInt16(clamping: values.count),
                        minimumRSSIDBm: Int8(clamping: values.min() ?? 0),
                        maximumRSSIDBm: Int8(clamping: values.max() ?? 0),
                        meanRSSITenthsDBm: Int16(clamping: values.reduce(0, +) * 10 / values.count))),
                at: last.at)
        }
    }

    private mutating func add(_ entry: LogEntry, at instant: Instant) { entries.append((instant, entry)) }

    /// The device's address; for another identifier, as iPhones have them, an address that stands for it.
    private static func address(_ device: String) -> Bytes<6> {
        let parts = device.split(separator: ":").compactMap { UInt8($0, radix: 16) }
        if parts.count == 6, let address = Bytes<6>(Array(parts.reversed()).span) { return address }
        let text = Array(device.utf8)
        let digest = [UInt8](copying: SHA256.digest(of: text.span).span)
        return Bytes<6>(Array(digest.prefix(6)).span) ?? Bytes()
    }
}
