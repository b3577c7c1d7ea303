import Archive
import EncounterLog
import FixedMemory
import TestSupport

/// Contacts of several schemes in the log of one boot: some on the first day, some ten days later.
enum ContactLog {
    static let day = Interval.days(1)
    static let boot: UInt64 = 1
    /// The wall time at which the boot began.
    static let start = noon
    /// Twenty days after the first contacts.
    static let now: WallClockTime = start + .days(20)

    static let herald = Identity(
        scheme: SchemeCode(.herald), payload: [0x10, 0x3a, 3] + bytes(18, from: 0x31))
    static let otherHerald = Identity(
        scheme: SchemeCode(.herald), payload: [0x10, 0x3a, 3] + bytes(18, from: 0x67))
    /// Met on both days, at two addresses.
    static let exposure = Identity(scheme: SchemeCode(.exposureNotification), payload: bytes(20, from: 0x83))
    /// Of the device that is ``otherHerald``, too.
    static let otherExposure = Identity(
        scheme: SchemeCode(.exposureNotification), payload: bytes(20, from: 0x9b))
    static let tracer = Identity(scheme: SchemeCode(.covidTracer), payload: bytes(20, from: 0xc5))
    static let text = "text of the first contact"
    static let looseText = "text of a device without an encounter"

    static var entries: [LogEntry] { head + firstDay + tenthDay }

    static var head: [LogEntry] {
        [
            .boot(
                BootEntry(
                    bootIdentifier: boot, instant: 500, softwareVersion: Bytes(),
                    sampleLength: 8_000, encounterTimeout: 30_000, lossWindow: 30_000, role: .beacon)),
            .anchor(
                AnchorEntry(instant: 0, wallClock: start, errorMilliseconds: 25, source: .systemClock)),
        ]
    }

    static var firstDay: [LogEntry] {
        contact(1, [herald], at: 1_000) + contact(2, [exposure], at: 2_000)
            + contact(3, [tracer], at: 3_000) + contact(4, [otherHerald, otherExposure], at: 4_000)
            + contact(5, [], at: 5_000)
            + [message(text, of: 1, at: 6_000), message(looseText, of: nil, at: 6_500), coverage(7_000)]
    }

    /// Two identities of the first day again, and enough other contacts to fill several segments.
    static var tenthDay: [LogEntry] {
        let start = Instant.start + 10 * day
        return contact(6, [exposure], at: start) + contact(7, [herald], at: start + 1_000)
            + (8...200).flatMap { number in
                contact(
                    number,
                    [
                        Identity(
                            scheme: SchemeCode(.herald),
                            payload: [0x10, 0x3a, 9, UInt8(number)] + bytes(10, from: 1))
                    ],
                    at: start + .seconds(UInt64(number)))
            } + [coverage(start + 300_000)]
    }

    /// The peer address of this encounter: random, six bytes.
    static func address(_ number: UInt32) -> [UInt8] {
        [UInt8(truncatingIfNeeded: number), 0xd1, 0xd2, 0xd3, 0xd4, 0xc5]
    }

    static func contact(_ number: UInt32, _ identities: [Identity], at time: Instant) -> [LogEntry] {
        let address = Bytes<6>(address(number).span) ?? Bytes()
        var entries: [LogEntry] = [
            .encounterOpened(
                EncounterOpenedEntry(
                    encounter: number, instant: time, address: address, addressType: 1,
                    foundBy: .appleOverflow))
        ]
        for identity in identities {
            entries.append(
                .encounterIdentified(
                    EncounterIdentifiedEntry(
                        encounter: number, instant: time + 300, scheme: identity.scheme,
                        identity: FixedBuffer(identity.payload.span) ?? FixedBuffer())))
        }
        return entries + [
            .sample(
                SampleEntry(
                    encounter: number, start: time, end: time + 7_000, readings: 20,
                    minimumRSSIDBm: -80, maximumRSSIDBm: -60, meanRSSITenthsDBm: -705)),
            .encounterClosed(EncounterClosedEntry(encounter: number, instant: time + 7_000, readings: 20)),
        ]
    }

    static func message(_ text: String, of number: UInt32?, at time: Instant) -> LogEntry {
        .message(
            MessageEntry(
                encounter: number, instant: time,
                data: FixedBuffer<512>(Array(text.utf8).span) ?? FixedBuffer()))
    }

    static func sharing(_ identity: Identity, by number: UInt32, at time: Instant) -> LogEntry {
        .sharedPayloads(
            SharedPayloadsEntry(
                encounter: number, instant: time, rssiDBm: -60,
                payloads: FixedBuffer(identity.payload.span) ?? FixedBuffer()))
    }

    static func otherAddress(of number: UInt32, _ address: [UInt8], at time: Instant) -> LogEntry {
        let detail = address + [1]
        return .peerDetails(
            PeerDetailsEntry(
                encounter: number, instant: time, detail: .otherAddress,
                value: FixedBuffer(detail.span) ?? FixedBuffer()))
    }

    static func coverage(_ end: Instant) -> LogEntry {
        .coverage(
            CoverageEntry(start: end - 1_000, end: end, reports: 100, malformed: 0, dropped: 0, evicted: 0))
    }

    private static func bytes(_ count: Int, from first: UInt8) -> [UInt8] {
        (0..<count).map { first &+ UInt8($0) &* 5 }
    }
}
