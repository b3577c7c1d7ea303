import Analysis
import Foundation

/// The log files of Herald's apps with the rows of one log, produced piece by piece.
struct HeraldLogFiles {
    enum Name: String, CaseIterable {
        case contacts = "contacts.csv"
        case rssi = "rssi.csv"
        case encounters = "encounters.csv"
        case detection = "detection.csv"
        case statistics = "statistics.csv"
        case statisticsOfReads = "statistics_didRead.csv"
        case battery = "battery.csv"

        /// True if the file grows with the number of rows.
        var isLong: Bool { [.contacts, .rssi, .encounters].contains(self) }
    }

    let log: HeraldLog
    let generation: HeraldLogGeneration
    let zone: LocalZone

    /// The number of rows per piece.
    static let rowsPerPiece = 4_096

    /// Passes each piece to `take`, with the number of rows in it.
    func write<Failure: Error>(
        _ name: Name, _ take: (_ bytes: [UInt8], _ rowCount: Int) throws(Failure) -> Void
    ) throws(Failure) {
        switch name {
        case .contacts: try writeRows(header: generation.columns, contactsRow, take)
        case .rssi: try writeRows(header: ["time", "id", "rssi", "txpower"], rssiRow, take)
        case .encounters:
            var payloadOfDevice = [Int?](repeating: nil, count: log.devices.count)
            let payloads = log.payloads.map { Data($0.bytes).base64EncodedString() }
            // This is Herald's own header, although its rows have six fields.
            try writeRows(
                header: ["time", "proximity", "unit", "payload"],
                { encounterRow($0, &payloadOfDevice, payloads, &$1, &$2) }, take)
        case .detection: try take(Array(detection.utf8), 0)
        case .statistics: try take(Array(statistics.utf8), 0)
        case .statisticsOfReads: try take(Array(statisticsOfReads.utf8), 0)
        case .battery: try take(battery, 0)
        }
    }

    private func writeRows<Failure: Error>(
        header: [String], _ append: (HeraldLogRow, inout HeraldTimeText, inout [UInt8]) -> Void,
        _ take: (_ bytes: [UInt8], _ rowCount: Int) throws(Failure) -> Void
    ) throws(Failure) {
        var time = HeraldTimeText(zone: zone)
        var bytes = Array(HeraldCSV.line(header).utf8)
        var rowCount = 0
        for row in log.rows {
            append(row, &time, &bytes)
            rowCount += 1
            guard rowCount == Self.rowsPerPiece else { continue }
            try take(bytes, rowCount)
            bytes.removeAll(keepingCapacity: true)
            rowCount = 0
        }
        try take(bytes, rowCount)
    }

    private func contactsRow(
        _ row: HeraldLogRow, _ time: inout HeraldTimeText, _ bytes: inout [UInt8]
    ) {
        let event = row.event
        guard generation.events.contains(event) else { return }
        time.append(row.time, generation: generation, to: &bytes)
        bytes += ",BLE,".utf8
        bytes += log.devices[row.device].utf8
        for column in generation.events {
            bytes.append(UInt8(ascii: ","))
            if column == event { bytes.append(event.digit) }
        }
        bytes.append(UInt8(ascii: ","))
        switch row.content {
        case .read(let payload), .share(let payload):
            bytes += HeraldCSV.field(log.payloads[payload].name).utf8
        case .measure(let rssi):
            bytes += "RSSI:".utf8
            bytes += rssi.text.utf8
            if let txPower = rssi.txPowerText { bytes += "[BLETransmitPower:\(txPower)]".utf8 }
        case .detect, .detectHerald, .delete: break
        }
        bytes.append(UInt8(ascii: "\n"))
    }

    private func rssiRow(_ row: HeraldLogRow, _ time: inout HeraldTimeText, _ bytes: inout [UInt8]) {
        guard case .measure(let rssi) = row.content else { return }
        time.append(row.time, generation: generation, to: &bytes)
        bytes += ",\(log.devices[row.device]),\(rssi.text),\(rssi.txPowerText ?? "")\n".utf8
    }

    /// Writes a measurement if the device's payload is known by then.
    private func encounterRow(
        _ row: HeraldLogRow, _ payloadOfDevice: inout [Int?], _ payloads: [String],
        _ time: inout HeraldTimeText, _ bytes: inout [UInt8]
    ) {
        switch row.content {
        case .read(let payload): payloadOfDevice[row.device] = payload
        case .measure(let rssi):
            guard let payload = payloadOfDevice[row.device] else { return }
            time.append(row.time, generation: .first, to: &bytes)
            let calibration = rssi.txPowerText.map { "\($0),BLETransmitPower" } ?? ","
            bytes += ",\(rssi.text),RSSI,\(calibration),\(payloads[payload])\n".utf8
        case .detect, .detectHerald, .share, .delete: return
        }
    }

    private var battery: [UInt8] {
        var time = HeraldTimeText(zone: zone)
        var bytes = Array(HeraldCSV.line(["time", "source", "level"]).utf8)
        for row in log.batteryRows {
            time.append(row.time, generation: generation, to: &bytes)
            bytes += ",\(row.isExternal ? "external" : "battery"),\(row.percent).0\n".utf8
        }
        return bytes
    }

    private var detection: String {
        HeraldCSV.line(
            [log.model, "Linux", log.softwareVersion, log.ownName ?? ""]
                + HeraldStatistics(log).names(besides: log.ownName))
    }

    private var statistics: String {
        let statistics = HeraldStatistics(log)
        let lines = statistics.names(besides: log.ownName).compactMap { name in
            statistics.ofAllEvents[name]?.fields.map { HeraldCSV.line([name] + $0) }
        }
        return "payload,count,mean,sd,min,max\n" + lines.joined()
    }

    private var statisticsOfReads: String {
        let statistics = HeraldStatistics(log)
        let lines = statistics.names(besides: log.ownName).compactMap { name in
            statistics.ofReads[name]?.fields.map { HeraldCSV.line(["read", log.ownName ?? "", name] + $0) }
        }
        return "event,central,peripheral,count,mean,sd,min,max\n" + lines.joined()
    }
}

extension HeraldLogRow {
    fileprivate var event: HeraldEvent {
        switch content {
        case .detect: .detect
        case .detectHerald: .detectHerald
        case .read: .read
        case .measure: .measure
        case .share: .share
        case .delete: .delete
        }
    }
}
