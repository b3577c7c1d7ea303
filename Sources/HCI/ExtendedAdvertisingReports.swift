import FixedMemory

/// The reports of one LE Extended Advertising Report event. Controllers send it, for legacy adverts too, to
/// hosts that scan with the extended commands. Each report is event type (2), address type (1), address (6),
/// primary and secondary PHY (1 each), set (1), transmit power (1), RSSI (1), periodic interval (2), direct
/// address with its type (7), data length (1), data. Source: Bluetooth Core 5.4, Vol 4, Part E, 7.7.65.13.
///
/// An advert too long for one event arrives as several reports, each with a part of the data. Only the last
/// part carries the RSSI, so that one advert gives one RSSI reading.
public struct ExtendedAdvertisingReports: ~Escapable {
    private var rest: Span<UInt8>
    private var remaining: Int
    /// Whether the event ended before all the reports it announced.
    public private(set) var isDamaged = false

    /// `parameters` is what follows the subevent code; its first byte is the number of reports.
    @_lifetime(copy parameters)
    public init(_ parameters: Span<UInt8>) {
        rest = parameters
        if let count = rest.takeFirst(1) {
            remaining = Int(count[0])
        } else {
            remaining = 0
            isDamaged = true
        }
    }

    @_lifetime(copy self)
    public mutating func next() -> AdvertisingReport? {
        guard remaining > 0 else { return nil }
        guard let header = rest.takeFirst(24), let data = rest.takeFirst(Int(header[23])) else {
            isDamaged = true
            remaining = 0
            return nil
        }
        remaining &-= 1
        let type = header.loadUInt16(at: 0)
        let isContinued = type >> 5 & 3 == 1
        return AdvertisingReport(
            kind: AdvertisingReportKind(extendedEventType: type),
            address: DeviceAddress(littleEndian: header.loadUInt48(at: 3), addressType: header[2]),
            rawRSSI: isContinued ? RSSI.unknownDBm : Int8(bitPattern: header[13]), data: data)
    }

    /// Writes the next report as the parameters of an ``AdvertisingReports`` event.
    /// - Returns: false after the last report.
    public mutating func next(asLegacyEvent event: inout FixedBuffer<266>) -> Bool {
        event.removeAll()
        guard let report = next() else { return false }
        do throws(CapacityError) {
            try event.append(1)
            try event.append(report.kind.rawValue)
            try event.append(report.address.addressType)
            try event.append(littleEndian: UInt32(truncatingIfNeeded: report.address.value))
            try event.append(littleEndian: UInt16(truncatingIfNeeded: report.address.value >> 32))
            try event.append(UInt8(truncatingIfNeeded: report.data.count))
            try event.append(report.data)
            try event.append(UInt8(bitPattern: report.rawRSSI))
            return true
        } catch {
            return false
        }
    }
}

extension AdvertisingReportKind {
    /// Maps an Event_Type to the legacy kind: connectable (bit 0), scannable (1), directed (2), scan response
    /// (3).
    init(extendedEventType type: UInt16) {
        if type & 8 != 0 {
            self = .scanResponse
        } else if type & 1 != 0 {
            self = type & 4 != 0 ? .connectableDirected : .connectable
        } else {
            self = type & 2 != 0 ? .scannable : .nonConnectable
        }
    }
}
