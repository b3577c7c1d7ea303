import FixedMemory

/// The name of one of the kernel's Bluetooth adapters. Numbers change when adapters appear or vanish; buses
/// and addresses stay the same.
public enum AdapterName: BitwiseCopyable, Equatable, Sendable {
    /// The form `hci0` or `hci-socket:0`.
    case number(UInt16)
    /// The form `hci:usb`: the adapter with the lowest number on that bus.
    case bus(AdapterBus)
    /// The form `hci@AA:BB:CC:DD:EE:FF`: the adapter with that address.
    case address(AdapterAddress)

    /// Parses the text after `hci`.
    init(parsing text: Span<UInt8>) throws(TransportNameError) {
        if let number = text.dropping(prefix: "-socket:") {
            self = try Self.numbered(number)
        } else if let name = text.dropping(prefix: ":") {
            guard let bus = AdapterBus(parsing: name) else { throw .adapterBus }
            self = .bus(bus)
        } else if let name = text.dropping(prefix: "@") {
            // An adapter has an address of zeros until the kernel has initialised it.
            guard let address = AdapterAddress(parsing: name), !address.isUnknown else {
                throw .adapterAddress
            }
            self = .address(address)
        } else {
            self = try Self.numbered(text)
        }
    }

    public func write(to sink: inout some ByteSink & ~Copyable) throws(CapacityError) {
        try sink.append("hci")
        switch self {
        case .number(let number): try sink.append(decimal: number)
        case .bus(let bus):
            try sink.append(":")
            try sink.append(bus.name)
        case .address(let address):
            try sink.append("@")
            try address.write(to: &sink)
        }
    }

    private static func numbered(_ text: Span<UInt8>) throws(TransportNameError) -> AdapterName {
        guard let number = text.decimalValue(maximum: 65534) else { throw .adapterNumber }
        return .number(UInt16(truncatingIfNeeded: number))
    }
}
