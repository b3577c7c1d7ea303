import Archive
import CommandLineText
import Cryptography
import EncounterLog
import FixedMemory
import Reports

/// One line for each entry of a log. Times are milliseconds of the board's monotonic clock.
enum LogEntryText {
    static func text(_ entry: LogEntry) -> String {
        switch entry {
        case .boot(let entry):
            let version = entry.softwareVersion
            return "boot        \(boot(entry.bootIdentifier)) at \(entry.instant.milliseconds), "
                + "software \(version[0]).\(version[1]).\(version[2]), sample \(entry.sampleLength.milliseconds) ms, "
                + "encounter timeout \(entry.encounterTimeout.milliseconds) ms, loss window "
                + "\(entry.lossWindow.milliseconds) ms, role \(entry.role.rawValue)"
        case .anchor(let entry):
            let error = entry.errorMilliseconds == .max ? "unknown" : "±\(entry.errorMilliseconds) ms"
            return "anchor      \(entry.instant.milliseconds) is \(wallClock(entry.wallClock)), "
                + "error \(error), source \(entry.source.rawValue)"
        case .encounterOpened(let entry):
            let address = RecordedAddress(
                bytes: [UInt8](copying: entry.address.span), type: entry.addressType)
            return "opened      #\(entry.encounter) at \(entry.instant.milliseconds), \(address.text) "
                + "(type \(entry.addressType)), found by \(entry.foundBy.text)"
        case .encounterIdentified(let entry):
            let identity = Identity(
                scheme: entry.scheme,
                payload: [UInt8](copying: entry.identity.span))
            return
                "identified  #\(entry.encounter) at \(entry.instant.milliseconds), \(identity.scheme.label) "
                + "\(identity.hexadecimal) (\(identity.label)\(identity.remark))\(entry.marks.remark)"
        case .identityReference(let entry):
            return
                "identified  #\(entry.encounter) at \(entry.instant.milliseconds), "
                + Identity(lost: entry.hash, scheme: entry.scheme).label
        case .sample(let entry):
            let txPower =
                entry.txPowerDBm == SampleEntry.unknownTxPowerDBm ? "" : ", TX \(entry.txPowerDBm) dBm"
            return "sample      #\(entry.encounter) \(entry.start.milliseconds)...\(entry.end.milliseconds), "
                + "\(entry.readings) readings, \(entry.minimumRSSIDBm)...\(entry.maximumRSSIDBm) dBm, "
                + "mean \(Double(entry.meanRSSITenthsDBm) / 10)\(txPower)"
        case .encounterClosed(let entry):
            return
                "closed      #\(entry.encounter) at \(entry.instant.milliseconds), \(entry.readings) readings"
        case .coverage(let entry):
            return
                "coverage    \(entry.start.milliseconds)...\(entry.end.milliseconds), \(entry.reports) reports, "
                + "\(entry.malformed) malformed, \(entry.dropped) dropped, \(entry.evicted) evicted"
                + (entry.unlogged > 0 ? ", \(entry.unlogged) encounters not logged" : "")
                + (entry.timing.map {
                    ", listening \(milliseconds($0.windowSlots)) of \(milliseconds($0.intervalSlots)) ms"
                } ?? "")
        case .radio(let entry): return "radio       \(radio(entry))"
        case .message(let entry): return "message     \(message(entry))"
        case .sharedPayloads(let entry): return "shared      \(sharedPayloads(entry))"
        case .ownIdentity(let entry): return "own id      \(ownIdentity(entry))"
        case .ownKey(let entry): return "own key     \(ownKey(entry))"
        case .readings(let entry): return "readings    \(readings(entry))"
        case .peerDetails(let entry):
            return "details     #\(entry.encounter) at \(entry.instant.milliseconds), "
                + PeerDetailText.text(entry.detail, [UInt8](copying: entry.value.span))
        case .identityRefused(let entry):
            let scheme = Identity(scheme: entry.scheme, payload: []).scheme.label
            return "refused     \(entry.encounter.map { "#\($0) " } ?? "")at \(entry.instant.milliseconds), "
                + "\(scheme) \([UInt8](copying: entry.bytes.span).hexadecimal): "
                + "\(entry.reason.text)\(entry.marks.remark)"
        case .configuration(let entry): return "settings    \(configuration(entry))"
        case .gap(let entry): return "erased      \(gap(entry))"
        case .marker(let entry):
            return "marker      at \(entry.instant.milliseconds), by \(entry.origin.text)"
        case .battery(let entry):
            return "battery     at \(entry.instant.milliseconds), \(entry.reading.text)"
        case .acknowledgement(let entry):
            return "fetched     at \(entry.instant.milliseconds), through segment "
                + "\(entry.position.segmentOrdinal), byte \(entry.position.byteOffset), "
                + (entry.operatorFingerprint == Bytes()
                    ? "not signed"
                    : "signed with \([UInt8](copying: entry.operatorFingerprint.span).hexadecimal)")
        }
    }

    private static func configuration(_ entry: ConfigurationEntry) -> String {
        let retention = entry.retentionDays == 0 ? "all" : "\(entry.retentionDays) days"
        let scan =
            entry.scans
            ? "scans \(milliseconds(entry.scanWindowSlots)) of \(milliseconds(entry.scanIntervalSlots)) ms"
            : "does not scan"
        let advert =
            entry.advertises
            ? "advertises every \(milliseconds(entry.advertisingIntervalSlots)) ms" : "does not advertise"
        return "at \(entry.instant.milliseconds), keeps \(retention), \(scan), \(advert), "
            + "room for \(entry.peerCapacity) peers, "
            + "\(entry.position.map { "position \($0.text), " } ?? "")digest \([UInt8](copying: entry.digest.span).hexadecimal)"
    }

    private static func milliseconds(_ slots: UInt16) -> Double { Double(slots) * 0.625 }

    private static func gap(_ entry: GapEntry) -> String {
        var text =
            "at \(entry.instant.milliseconds), \(Count.text(entry.segmentCount, "segment")) from "
            + "\(entry.firstSegmentOrdinal) on, \(entry.byteCount) bytes, \(entry.cause.text), "
            + (entry.isAcknowledged ? "acknowledged" : "not acknowledged")
        if entry.knowledge != 0 {
            text +=
                ", \(entry.knowledge == 1 ? "" : "at least ")\(Count.text(entry.entryCount, "entry", "entries")), from "
                + "\(entry.first.instant.milliseconds) of \(boot(entry.first.bootIdentifier)) to "
                + "\(entry.last.instant.milliseconds) of \(boot(entry.last.bootIdentifier))"
        }
        return text
    }

    private static func message(_ entry: MessageEntry) -> String {
        let data = [UInt8](copying: entry.data.span)
        return
            "by \(sender(entry.encounter)) at \(entry.instant.milliseconds), \(data.count) bytes \(data.hexadecimal)"
    }

    private static func sharedPayloads(_ entry: SharedPayloadsEntry) -> String {
        let payloads = [UInt8](copying: entry.payloads.span)
        let isKnown = entry.rssiDBm != SharedPayloadsEntry.unknownRSSIDBm
        let rssi = isKnown ? ", hears us at \(entry.rssiDBm) dBm" : ""
        return "by \(sender(entry.encounter)) at \(entry.instant.milliseconds)\(rssi), "
            + "\(payloads.count) bytes \(payloads.hexadecimal)"
    }

    private static func sender(_ encounter: UInt32?) -> String {
        encounter.map { "#\($0)" } ?? "a device without an encounter"
    }

    private static func readings(_ entry: ReadingsEntry) -> String {
        var list: [String] = []
        entry.readings.forEach { time, dBm in list.append("\(dBm)@\(time)") }
        return "#\(entry.encounter) \(Count.text(list.count, "reading")) (dBm@time): "
            + list.joined(separator: " ")
    }

    static func boot(_ identifier: UInt64) -> String { TimeText.boot(identifier) }

    private static func ownIdentity(_ entry: OwnIdentityEntry) -> String {
        guard !entry.identity.isEmpty else {
            return "at \(entry.instant.milliseconds), none: not advertising"
        }
        let address = RecordedAddress(bytes: [UInt8](copying: entry.address.span), type: entry.addressType)
        let identity = Identity(
            scheme: entry.scheme, payload: [UInt8](copying: entry.identity.span))
        return "at \(entry.instant.milliseconds), \(address.text) (type \(entry.addressType)), "
            + "\(identity.scheme.label) \(identity.hexadecimal) (\(identity.label)\(identity.remark))"
    }

    /// The key itself is not printed, because all identities follow from it.
    private static func ownKey(_ entry: OwnKeyEntry) -> String {
        let (unitSeconds, unit): (UInt64, String) =
            entry.scheme.id == .exposureNotification ? (600, "periods of ten minutes") : (86_400, "days")
        let fingerprint = [UInt8](copying: SHA256.digest(of: entry.key.span).span).prefix(8)
        return "at \(entry.instant.milliseconds), \(entry.scheme.label), \(entry.periodCount) \(unit) from "
            + "\(TimeText.utc(WallClockTime(seconds: UInt64(entry.firstPeriod) * unitSeconds))) on, \(entry.key.count) bytes, "
            + "fingerprint \(Array(fingerprint).hexadecimal)"
    }

    private static func radio(_ entry: RadioEntry) -> String {
        let what = entry.event == .rungTaken ? entry.rung.text : entry.event.text
        var text = "at \(entry.instant.milliseconds), \(what)"
        if entry.fault.rawValue != 0 { text += ", because \(entry.fault.text)" }
        if let detail = entry.fault.text(detail: entry.detail) { text += " (\(detail))" }
        if entry.event != .rungTaken, entry.rung != .none {
            text += ", highest recovery step: \(entry.rung.text)"
        }
        return text
    }

    private static func wallClock(_ time: WallClockTime) -> String {
        TimeText.utc(min(time, WallClockTime(milliseconds: 1 << 52)))
    }
}
