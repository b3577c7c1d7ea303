import HCI

/// The content of an advertiser's packets. Each change makes a new object, so a packet on its way keeps its
/// content.
public final class Advertisement: Sendable {
    public let address: DeviceAddress
    public let kind: AdvertisingReportKind
    public let data: [UInt8]
    public let scanResponse: [UInt8]

    /// - Parameter data: AD structures; bytes beyond 31 are dropped.
    public init(
        address: DeviceAddress, kind: AdvertisingReportKind = .connectable, data: [UInt8],
        scanResponse: [UInt8] = []
    ) {
        self.address = address
        self.kind = kind
        self.data = Array(data.prefix(31))
        self.scanResponse = Array(scanResponse.prefix(31))
    }

    var isConnectable: Bool { kind == .connectable }
    var isScannable: Bool { kind == .connectable || kind == .scannable }

    var airTime: SimulatedDuration {
        .microseconds(AirUse.byteCount(of: self) * AirUse.microsecondsPerByte)
    }
}
