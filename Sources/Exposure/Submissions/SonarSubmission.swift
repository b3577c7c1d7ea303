import Archive
import Authority
import EncounterLog
import FixedMemory
import Schemes

/// A report to Sonar's authority by a board's owner who fell ill: the contacts that the board read. As in
/// both apps, a contact comprises everything heard of one broadcast value, even with interruptions.
public struct SonarSubmission: Sendable {
    /// The time for which Sonar's phones keep contacts.
    public static let retentionDays = UInt32(clamping: ContactRetention()[.scheme(SchemeCode(.sonar))])

    /// In order of their starts.
    public private(set) var events: [SonarContactEvent] = []
    /// The encounters that cannot be reported: without a wall clock, or with an identity that is lost or
    /// invalid.
    public private(set) var undatedCount = 0
    public private(set) var unreadableCount = 0

    /// - Parameter encounters: of one board and any scheme; those of other schemes are ignored.
    public init(_ encounters: [Encounter]) {
        var contacts: [Identity: Contact] = [:]
        for encounter in encounters {
            guard let identity = encounter.identity, identity.scheme.id == .sonar else { continue }
            guard let payload = try? SonarPayload(parsing: identity.payload.span) else {
                unreadableCount += 1
                continue
            }
            // The format has no room for times before 1970 and after 2106.
            guard encounter.isOnWallClock, let start = UInt32(exactly: encounter.start.seconds),
                UInt32(exactly: encounter.end.seconds) != nil
            else {
                undatedCount += 1
                continue
            }
            contacts[identity, default: Contact(payload: payload, startSeconds: start)]
                .append(encounter, payload, startSeconds: start)
        }
        events = contacts.values.map(\.event).sorted {
            ($0.startSeconds, $0.payload.transmissionSeconds)
                < ($1.startSeconds, $1.payload.transmissionSeconds)
        }
    }

    /// Texts about encounters that cannot be reported, with the reasons.
    public var unreported: [String] {
        var texts: [String] = []
        if undatedCount > 0 { texts.append("\(undatedCount) encounters without a wall-clock time") }
        if unreadableCount > 0 { texts.append("\(unreadableCount) encounters whose identity is lost") }
        return texts
    }

    private struct Contact {
        /// The earliest payload that was read.
        var payload: SonarPayload
        var startSeconds: UInt32
        var endSeconds: Int64 = 0
        var samples: [Sample<TimelinePoint>] = []

        mutating func append(_ encounter: Encounter, _ payload: SonarPayload, startSeconds: UInt32) {
            if payload.transmissionSeconds < self.payload.transmissionSeconds { self.payload = payload }
            self.startSeconds = min(self.startSeconds, startSeconds)
            endSeconds = max(endSeconds, encounter.end.seconds)
            samples += encounter.samples
        }

        var event: SonarContactEvent {
            let start = Int64(startSeconds)
            // The log is untrusted, so any time may occur; sample times are clamped to the contact.
            let readings = samples.map { sample in
                (
                    seconds: min(max(sample.start.seconds, start), max(endSeconds, start)),
                    rssi: Int8(clamping: Int(sample.meanDBm.rounded()))
                )
            }.sorted { $0.seconds < $1.seconds }
            let befores = [start] + readings.map(\.seconds)
            let power = samples.lazy.compactMap(\.txPowerDBm).first
            return SonarContactEvent(
                payload: payload,
                txPowerAdvertisedDBm: power.map { Int8(clamping: $0) } ?? SonarContactEvent.noTxPower,
                startSeconds: startSeconds,
                durationSeconds: UInt32(clamping: endSeconds - start),
                rssiValuesDBm: readings.map(\.rssi),
                rssiIntervalsSeconds: zip(readings, befores).map { $0.seconds - $1 })
        }
    }
}

extension TimelinePoint {
    /// Whole seconds, negative before 1970.
    fileprivate var seconds: Int64 { milliseconds / 1_000 }
}
