import FixedMemory

/// The connection timing that a peripheral requests. Bluetooth Core 5.4, Vol 3, Part A, 4.20.
public struct ConnectionParameters: BitwiseCopyable, Equatable, Sendable {
    /// The minimum connection interval, in units of 1.25 ms.
    public let intervalMinimum: UInt16
    /// The maximum connection interval, in units of 1.25 ms.
    public let intervalMaximum: UInt16
    /// The number of connection events that the peripheral may skip.
    public let latency: UInt16
    /// The supervision timeout, in units of 10 ms.
    public let supervisionTimeout: UInt16

    public init(
        intervalMinimum: UInt16, intervalMaximum: UInt16, latency: UInt16, supervisionTimeout: UInt16
    ) {
        self.intervalMinimum = intervalMinimum
        self.intervalMaximum = intervalMaximum
        self.latency = latency
        self.supervisionTimeout = supervisionTimeout
    }

    init(_ reader: inout ByteReader) throws(EndOfBytes) {
        intervalMinimum = try reader.readUInt16()
        intervalMaximum = try reader.readUInt16()
        latency = try reader.readUInt16()
        supervisionTimeout = try reader.readUInt16()
    }

    /// Whether the values are within the ranges of Vol 4, Part E, 7.8.18. A controller then accepts them, and
    /// the link does not time out while the peripheral skips events.
    public var isAcceptable: Bool {
        guard intervalMinimum >= 6, intervalMinimum <= intervalMaximum, intervalMaximum <= 3200,
            latency <= 499, supervisionTimeout >= 10, supervisionTimeout <= 3200
        else { return false }
        // The condition is: timeout * 10 ms > (1 + latency) * interval * 1.25 ms * 2.
        return Int(supervisionTimeout) * 4 > (1 + Int(latency)) * Int(intervalMaximum)
    }
}
