import DeviceSync
import EncounterLog
import FixedMemory
import HCI
import Schemes

/// Log entries as text, one line each, with times in UTC: for replays, whose log clock is the capture's.
public enum EntryText {
    /// A size that always suffices: a label takes at most 320 bytes.
    public static let maximumByteCount = 512

    @inline(never)
    public static func write<Sink: ByteSink & ~Copyable>(_ entry: LogEntry, to sink: inout Sink)
        throws(CapacityError)
    {
        switch entry {
        case .encounterOpened(let entry): try write(entry, to: &sink)
        case .encounterIdentified(let entry): try write(entry, to: &sink)
        case .sample(let entry): try write(entry, to: &sink)
        case .encounterClosed(let entry):
            try begin("closed", entry.encounter, entry.instant, to: &sink)
            try write(readings: entry.readings, to: &sink)
        case .readings(let entry):
            try begin("readings", entry.encounter, entry.readings.start, to: &sink)
            try write(readings: UInt32(entry.readings.count), to: &sink)
        case .peerDetails(let entry): try write(entry, to: &sink)
        case .message(let entry):
            try begin("message", entry.encounter ?? 0, entry.instant, to: &sink)
            try write(byteCount: entry.data.count, to: &sink)
        case .sharedPayloads(let entry):
            try begin("shared", entry.encounter ?? 0, entry.instant, to: &sink)
            try write(byteCount: entry.payloads.count, to: &sink)
        case .coverage(let entry): try write(entry, to: &sink)
        case .identityRefused(let entry):
            try begin("refused", entry.encounter ?? 0, entry.instant, to: &sink)
            try write(entry.scheme, entry.bytes.span, to: &sink)
            try sink.append(": ")
            try sink.append(entry.reason.text)
        // A capture has no boots, anchors, radio faults, log state or own identities.
        case .boot, .anchor, .radio, .ownIdentity, .ownKey, .configuration, .gap, .acknowledgement,
            .identityReference, .marker, .battery:
            break
        }
    }

    /// `2026-11-21 08:15:00.123`.
    @inline(never)
    public static func write<Sink: ByteSink & ~Copyable>(
        _ instant: Instant, to sink: inout Sink
    ) throws(CapacityError) {
        var text = FixedBuffer<32>()
        try DateTimeText.write(WallClockTime(milliseconds: instant.milliseconds), into: &text)
        let digits = text.span
        try sink.append(digits.extracting(0..<10))
        try sink.append(" ")
        try sink.append(digits.extracting(11..<23))
    }

    private static func begin<Sink: ByteSink & ~Copyable>(
        _ what: StaticString, _ encounter: UInt32, _ instant: Instant, to sink: inout Sink
    ) throws(CapacityError) {
        try write(instant, to: &sink)
        try sink.append("  ")
        try sink.append(what)
        for _ in what.utf8CodeUnitCount..<11 { try sink.append(" ") }
        try sink.append("#")
        try sink.append(decimal: encounter)
        try sink.append(", ")
    }

    private static func write<Sink: ByteSink & ~Copyable>(
        _ entry: EncounterOpenedEntry, to sink: inout Sink
    ) throws(CapacityError) {
        try begin("opened", entry.encounter, entry.instant, to: &sink)
        let value = entry.address.span.loadUInt48(at: 0)
        let address = DeviceAddress(littleEndian: value, addressType: entry.addressType)
        try sink.append(address)
        try sink.append(address.isRandom ? " (random)" : " (public)")
        try sink.append(", found by ")
        try sink.append(entry.foundBy.text)
    }

    private static func write<Sink: ByteSink & ~Copyable>(
        _ entry: EncounterIdentifiedEntry, to sink: inout Sink
    ) throws(CapacityError) {
        try begin("identified", entry.encounter, entry.instant, to: &sink)
        try write(entry.scheme, entry.identity.span, to: &sink)
        if entry.marks.contains(.written) { try sink.append(", written") }
        if entry.marks.contains(.timeUnchecked) { try sink.append(", its time unchecked") }
    }

    /// Writes a scheme and an identity; of a long identity only the first bytes.
    private static func write<Sink: ByteSink & ~Copyable>(
        _ scheme: SchemeCode, _ identity: Span<UInt8>, to sink: inout Sink
    ) throws(CapacityError) {
        try sink.append(scheme.id?.name ?? "unknown scheme")
        try sink.append(" ")
        if scheme.id == .herald { return try HeraldLabel.write(identity, to: &sink) }
        for index in 0..<min(identity.count, 64) {
            try sink.append(hexByte: identity[index], uppercase: false)
        }
    }

    private static func write<Sink: ByteSink & ~Copyable>(
        _ entry: SampleEntry, to sink: inout Sink
    ) throws(CapacityError) {
        try begin("sample", entry.encounter, entry.start, to: &sink)
        try sink.append(decimal: (entry.end &- entry.start).milliseconds)
        try sink.append(" ms, ")
        try write(readings: UInt32(entry.readings), to: &sink)
        try sink.append(", ")
        try sink.append(decimal: entry.minimumRSSIDBm)
        try sink.append(" to ")
        try sink.append(decimal: entry.maximumRSSIDBm)
        try sink.append(" dBm, mean ")
        let mean = entry.meanRSSITenthsDBm
        if mean < 0 { try sink.append("-") }
        try sink.append(decimal: mean.magnitude / 10)
        try sink.append(".")
        try sink.append(decimal: mean.magnitude % 10)
        if entry.txPowerDBm != SampleEntry.unknownTxPowerDBm {
            try sink.append(", sent with ")
            try sink.append(decimal: entry.txPowerDBm)
            try sink.append(" dBm")
        }
    }

    private static func write<Sink: ByteSink & ~Copyable>(
        _ entry: PeerDetailsEntry, to sink: inout Sink
    ) throws(CapacityError) {
        try begin("details", entry.encounter, entry.instant, to: &sink)
        let value = entry.value.span
        switch entry.detail {
        case .otherAddress where value.count == 7:
            try sink.append("also ")
            try sink.append(DeviceAddress(littleEndian: value.loadUInt48(at: 0), addressType: value[6]))
        case .pseudoAddress:
            try sink.append("pseudo device address ")
            for index in value.indices { try sink.append(hexByte: value[index], uppercase: false) }
        case .model, .manufacturer:
            try sink.append(entry.detail == .model ? "model of " : "maker of ")
            try write(byteCount: value.count, to: &sink)
        case .writtenRSSI where value.count == 1:
            try sink.append("wrote ")
            try sink.append(decimal: Int8(bitPattern: value[0]))
            try sink.append(" dBm")
        default:
            try sink.append("something new")
        }
    }

    private static func write<Sink: ByteSink & ~Copyable>(
        _ entry: CoverageEntry, to sink: inout Sink
    ) throws(CapacityError) {
        try write(entry.start, to: &sink)
        try sink.append("  coverage   until ")
        try write(entry.end, to: &sink)
        try sink.append(", ")
        try sink.append(decimal: entry.reports)
        try sink.append(" reports, ")
        try sink.append(decimal: entry.malformed)
        try sink.append(" malformed, ")
        try sink.append(decimal: entry.dropped)
        try sink.append(" dropped, ")
        try sink.append(decimal: entry.evicted)
        try sink.append(" evicted")
        guard entry.unlogged > 0 else { return }
        try sink.append(", ")
        try sink.append(decimal: entry.unlogged)
        try sink.append(" encounters not logged")
    }

    private static func write<Sink: ByteSink & ~Copyable>(
        byteCount: Int, to sink: inout Sink
    ) throws(CapacityError) {
        try sink.append(decimal: UInt32(truncatingIfNeeded: byteCount))
        try sink.append(byteCount == 1 ? " byte" : " bytes")
    }

    private static func write<Sink: ByteSink & ~Copyable>(
        readings: UInt32, to sink: inout Sink
    ) throws(CapacityError) {
        try sink.append(decimal: readings)
        try sink.append(readings == 1 ? " reading" : " readings")
    }
}
