import CLinux
import Configuration
import FixedMemory

/// One of the kernel's Bluetooth adapters.
public struct Adapter: BitwiseCopyable, Equatable, Sendable {
    public let number: UInt16
    /// The bus; nil if this version does not know it.
    public let bus: AdapterBus?
    /// The address; unknown until the kernel has initialised the adapter.
    public let address: AdapterAddress

    public init(number: UInt16, bus: AdapterBus?, address: AdapterAddress) {
        self.number = number
        self.bus = bus
        self.address = address
    }

    /// Writes the adapter as `hci0 (usb, 00:1A:7D:DA:71:13)`.
    public func write(to sink: inout some ByteSink & ~Copyable) throws(CapacityError) {
        try AdapterName.number(number).write(to: &sink)
        try sink.append(" (")
        try sink.append(bus?.name ?? "unknown bus")
        try sink.append(", ")
        if address.isUnknown {
            try sink.append("no address yet")
        } else {
            try address.write(to: &sink)
        }
        try sink.append(")")
    }
}

extension Adapter {
    init(_ adapter: clinux_adapter) {
        var bytes = Bytes<6>()
        for index in 0..<6 {
            bytes[index] = UInt8(truncatingIfNeeded: adapter.address >> (8 * UInt64(index)))
        }
        self.init(
            number: adapter.number, bus: AdapterBus(rawValue: adapter.bus), address: AdapterAddress(bytes))
    }
}
