import FixedMemory

/// One advertising report; its data is not copied. Source: Bluetooth Core 5.4, Vol 4, Part E, 7.7.65.2.
public struct AdvertisingReport: ~Escapable {
    public let kind: AdvertisingReportKind
    public let address: DeviceAddress
    /// The RSSI byte as the controller reports it: dBm, or a value that means "not available".
    public let rawRSSI: Int8
    /// The AD structures.
    public let data: Span<UInt8>

    /// The RSSI; nil if the controller did not measure it.
    @inline(__always)
    public var rssi: RSSI? { RSSI(dBm: rawRSSI) }

    @inline(__always)
    @_lifetime(copy data)
    init(kind: AdvertisingReportKind, address: DeviceAddress, rawRSSI: Int8, data: Span<UInt8>) {
        self.kind = kind
        self.address = address
        self.rawRSSI = rawRSSI
        self.data = data
    }
}

/// The Event_Type of a legacy report; unknown values are kept unchanged.
public struct AdvertisingReportKind: RawRepresentable, Equatable, Sendable, BitwiseCopyable {
    public let rawValue: UInt8
    @inline(__always)
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    public static let connectable = AdvertisingReportKind(rawValue: 0)
    public static let connectableDirected = AdvertisingReportKind(rawValue: 1)
    public static let scannable = AdvertisingReportKind(rawValue: 2)
    public static let nonConnectable = AdvertisingReportKind(rawValue: 3)
    public static let scanResponse = AdvertisingReportKind(rawValue: 4)
}

/// The reports of one LE Advertising Report event, up to 25. Each is event type (1), address type (1),
/// address (6), data length (1), data, RSSI (1).
public struct AdvertisingReports: ~Escapable {
    private var rest: Span<UInt8>
    private var remaining: Int
    /// Whether the event ended before all the reports it announced.
    public private(set) var isDamaged = false

    /// `parameters` is what follows the subevent code; its first byte is the number of reports.
    @inline(__always)
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

    @inline(__always)
    @_lifetime(copy self)
    public mutating func next() -> AdvertisingReport? {
        guard remaining > 0 else { return nil }
        guard let header = rest.takeFirst(9), let data = rest.takeFirst(Int(header[8])),
            let rssi = rest.takeFirst(1)
        else { return damaged() }
        remaining &-= 1
        // The event type and the address type precede the address, so one load fetches all eight bytes.
        return AdvertisingReport(
            kind: AdvertisingReportKind(rawValue: header[0]),
            address: DeviceAddress(littleEndian: header.loadUInt64(at: 0) >> 16, addressType: header[1]),
            rawRSSI: Int8(bitPattern: rssi[0]), data: data)
    }

    @_lifetime(copy self)
    private mutating func damaged() -> AdvertisingReport? {
        isDamaged = true
        remaining = 0
        return nil
    }
}
