import FixedMemory

/// The way in which the agent switches the Bluetooth controller's power, as `radio.power` names it.
public enum RadioPowerName: BitwiseCopyable, Equatable, Sendable {
    /// The agent does not switch the power.
    case off
    /// The form `rfkill`: the kernel's rfkill switch of the adapter.
    case rfkill
    /// The form `rebind:DRIVER,DEVICE`: unbinding the device from its driver and binding it again. DRIVER is
    /// the driver's directory in /sys.
    case rebind(driver: FixedText<128>, device: FixedText<64>)

    public init(parsing text: Span<UInt8>) throws(RadioPowerNameError) {
        if text.isEqual(to: "none") {
            self = .off
        } else if text.isEqual(to: "rfkill") {
            self = .rfkill
        } else if let names = text.dropping(prefix: "rebind:") {
            guard let comma = names.firstOffset(of: UInt8(ascii: ",")) else { throw .deviceMissing }
            let (driver, device) = (
                names.extracting(0..<comma), names.extracting(comma + 1..<names.count)
            )
            guard driver.starts(with: "/sys/") else { throw .driverOutsideSys }
            guard !device.isEmpty, device.firstOffset(of: UInt8(ascii: "/")) == nil else {
                throw .deviceMissing
            }
            guard let driver = FixedText<128>(driver), let device = FixedText<64>(device) else {
                throw .nameTooLong
            }
            self = .rebind(driver: driver, device: device)
        } else {
            throw .unknownKind
        }
    }

    public func write(to sink: inout some ByteSink & ~Copyable) throws(CapacityError) {
        switch self {
        case .off: try sink.append("none")
        case .rfkill: try sink.append("rfkill")
        case .rebind(let driver, let device):
            try sink.append("rebind:")
            try sink.append(driver.span)
            try sink.append(",")
            try sink.append(device.span)
        }
    }
}

/// An error in the value of `radio.power`.
public enum RadioPowerNameError: Error, BitwiseCopyable, Equatable {
    case unknownKind
    case driverOutsideSys
    case deviceMissing
    case nameTooLong

    var explanation: StaticString {
        switch self {
        case .unknownKind: "unknown way to power-cycle the controller"
        case .driverOutsideSys: "the driver's directory is not in /sys"
        case .deviceMissing: "no comma and device name after the driver's directory"
        case .nameTooLong: "the driver's directory is longer than 127 bytes, or the device's name than 63"
        }
    }
}
