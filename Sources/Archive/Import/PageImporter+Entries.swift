import EncounterLog
import FixedMemory
import Foundation
import GRDB
import LogContents

/// One insertion for each kind of entry.
extension PageImporter {
    func insert(_ entry: LogEntry, boot: Int64) throws {
        switch entry {
        case .boot(let entry): try insert(entry, boot: boot)
        case .anchor(let entry):
            try run(
                sql: """
                    INSERT OR IGNORE INTO anchor
                        (bootID, monotonicMilliseconds, wallClockMilliseconds, errorMilliseconds, source)
                    VALUES (?, ?, ?, ?, ?)
                    """,
                arguments: [
                    boot, time(entry.instant),
                    WallClockTime(logged: entry.wallClock),
                    entry.errorMilliseconds, entry.source.rawValue,
                ])
        case .encounterOpened(let entry):
            try run(
                sql: """
                    UPDATE track SET firstSightingMilliseconds = ?, address = ?, addressType = ?, hint = ?
                    WHERE id = ?
                    """,
                arguments: [
                    time(entry.instant), Data(copying: entry.address.span),
                    entry.addressType,
                    entry.foundBy.rawValue, try trackID(entry.encounter, boot: boot),
                ])
        case .encounterIdentified(let entry):
            touched.hasIdentifications = true
            try run(
                sql: """
                    INSERT OR IGNORE INTO identification
                        (trackID, monotonicMilliseconds, scheme, payload, marks, isLost)
                    VALUES (?, ?, ?, ?, ?, FALSE)
                    """,
                arguments: [
                    try trackID(entry.encounter, boot: boot), time(entry.instant),
                    entry.scheme.rawValue,
                    Data(copying: entry.identity.span), entry.marks.rawValue,
                ])
        case .identityReference(let entry):
            try run(
                sql: """
                    INSERT OR IGNORE INTO identification
                        (trackID, monotonicMilliseconds, scheme, payload, marks, isLost)
                    VALUES (?, ?, ?, ?, 0, TRUE)
                    """,
                arguments: [
                    try trackID(entry.encounter, boot: boot), time(entry.instant),
                    entry.scheme.rawValue, Data(entry.hash.bytes),
                ])
        case .sample(let entry): try insert(entry, boot: boot)
        case .encounterClosed(let entry):
            try run(
                sql: "UPDATE track SET lastReadingMilliseconds = ?, readingCount = ? WHERE id = ?",
                arguments: [
                    time(entry.instant), entry.readings,
                    try trackID(entry.encounter, boot: boot),
                ])
        case .coverage(let entry):
            try run(
                sql: """
                    INSERT OR IGNORE INTO coverage (bootID, startMilliseconds, endMilliseconds, reportCount,
                        malformedCount, droppedCount, evictedCount, scanIntervalSlots, scanWindowSlots)
                    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
                    """,
                arguments: [
                    boot, time(entry.start), time(entry.end), entry.reports,
                    entry.malformed, entry.dropped, entry.evicted, entry.timing?.intervalSlots,
                    entry.timing?.windowSlots,
                ])
        case .radio(let entry):
            try run(
                sql: """
                    INSERT OR IGNORE INTO radioIncident
                        (bootID, monotonicMilliseconds, event, fault, rung, detail)
                    VALUES (?, ?, ?, ?, ?, ?)
                    """,
                arguments: [
                    boot, time(entry.instant), entry.event.rawValue, entry.fault.rawValue,
                    entry.rung.rawValue, entry.detail,
                ])
        case .message(let entry): try insert(entry, boot: boot)
        case .sharedPayloads(let entry): try insert(entry, boot: boot)
        case .ownIdentity(let entry): try insert(entry, boot: boot)
        case .ownKey(let entry): try insert(entry, boot: boot)
        case .readings(let entry): try insert(entry, boot: boot)
        case .gap(let entry): try insert(entry, boot: boot)
        case .identityRefused(let entry): try insert(entry, boot: boot)
        case .configuration(let entry): try insert(entry, boot: boot)
        case .marker(let entry):
            try run(
                sql: "INSERT OR IGNORE INTO marker (bootID, monotonicMilliseconds, origin) VALUES (?, ?, ?)",
                arguments: [boot, time(entry.instant), entry.origin.rawValue])
        case .battery(let entry): try insert(entry, boot: boot)
        // Acknowledgements need no table; log inspection reads them from the pages.
        case .acknowledgement: break
        case .peerDetails(let entry):
            try run(
                sql: """
                    INSERT OR IGNORE INTO peerDetail (trackID, monotonicMilliseconds, kind, value)
                    VALUES (?, ?, ?, ?)
                    """,
                arguments: [
                    try trackID(entry.encounter, boot: boot), time(entry.instant),
                    entry.detail.rawValue, Data(copying: entry.value.span),
                ])
        }
    }

    private func insert(_ entry: ReadingsEntry, boot: Int64) throws {
        let track = try trackID(entry.encounter, boot: boot)
        let start = time(entry.readings.start)
        var list: [(instant: Instant, dBm: Int8)] = []
        entry.readings.forEach { list.append(($0, $1)) }
        for (place, reading) in list.enumerated() {
            try run(
                sql: """
                    INSERT OR IGNORE INTO reading
                        (trackID, entryMilliseconds, place, monotonicMilliseconds, rssiDBm)
                    VALUES (?, ?, ?, ?, ?)
                    """,
                arguments: [track, start, place, time(reading.instant), reading.dBm])
        }
    }

    private func insert(_ entry: BootEntry, boot: Int64) throws {
        let version = entry.softwareVersion
        try run(
            sql: """
                UPDATE boot SET startMilliseconds = ?, softwareVersion = ?, sampleMilliseconds = ?,
                    gapMilliseconds = ?, lossWindowMilliseconds = ?, role = ? WHERE id = ?
                """,
            arguments: [
                time(entry.instant), "\(version[0]).\(version[1]).\(version[2])",
                entry.sampleLength, entry.encounterTimeout, entry.lossWindow,
                entry.role.rawValue,
                boot,
            ])
    }

    private func insert(_ entry: ConfigurationEntry, boot: Int64) throws {
        guard let position = entry.position else { return }
        try run(
            sql: "UPDATE boot SET latitudeMicrodegrees = ?, longitudeMicrodegrees = ? WHERE id = ?",
            arguments: [position.latitudeMicrodegrees, position.longitudeMicrodegrees, boot])
    }

    private func insert(_ entry: BatteryEntry, boot: Int64) throws {
        let reading = entry.reading
        try run(
            sql: """
                INSERT OR IGNORE INTO battery
                    (bootID, monotonicMilliseconds, percent, millivolts, state, isLow)
                VALUES (?, ?, ?, ?, ?, ?)
                """,
            arguments: [
                boot, time(entry.instant), reading.percent, reading.millivolts, reading.state.rawValue,
                reading.isLow,
            ])
    }

    private func insert(_ entry: SampleEntry, boot: Int64) throws {
        try run(
            sql: """
                INSERT OR IGNORE INTO sample (trackID, startMilliseconds, endMilliseconds, readingCount,
                    minimumDBm, maximumDBm, meanTenthsDBm, txPowerDBm)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?)
                """,
            arguments: [
                try trackID(entry.encounter, boot: boot), time(entry.start),
                time(max(entry.start, entry.end)),
                entry.readings, entry.minimumRSSIDBm, entry.maximumRSSIDBm, entry.meanRSSITenthsDBm,
                entry.txPowerDBm == SampleEntry.unknownTxPowerDBm ? nil : entry.txPowerDBm,
            ])
    }
}
