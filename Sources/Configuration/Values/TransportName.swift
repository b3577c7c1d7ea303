import FixedMemory

/// The connection to the Bluetooth controller, as `radio.hci` and `--hci` name it.
public enum TransportName: BitwiseCopyable, Equatable, Sendable {
    /// The form `hci0`, `hci:usb` or `hci@AA:BB:CC:DD:EE:FF`: one of the kernel's adapters, over its user
    /// channel.
    case hciSocket(AdapterName)
    /// The form `unix:PATH`: H4 packets over a stream socket.
    case unixStream(path: FixedText<108>)
    /// The form `unix-seqpacket:PATH`: one H4 packet in each message.
    case unixSequencedPackets(path: FixedText<108>)
    /// The form `tcp-client:ADDRESS:PORT` with a numeric IPv4 address: H4 packets over TCP.
    case tcpClient(address: FixedText<16>, port: UInt16)
    /// The form `serial:DEVICE,BAUD`, or with RTS/CTS flow control `serial:DEVICE,BAUD,rtscts`: H4 on a UART.
    case serial(device: FixedText<128>, baud: UInt32, flowControl: Bool)

    public init(parsing text: Span<UInt8>) throws(TransportNameError) {
        if let path = text.dropping(prefix: "unix:") {
            self = .unixStream(path: try Self.path(path))
        } else if let path = text.dropping(prefix: "unix-seqpacket:") {
            self = .unixSequencedPackets(path: try Self.path(path))
        } else if let rest = text.dropping(prefix: "tcp-client:") {
            self = try Self.tcpClient(rest)
        } else if let rest = text.dropping(prefix: "serial:") {
            self = try Self.serial(rest)
        } else if let adapter = text.dropping(prefix: "hci") {
            self = .hciSocket(try AdapterName(parsing: adapter))
        } else {
            throw .unknownKind
        }
    }

    /// Writes the name in its shortest form.
    public func write(to sink: inout some ByteSink & ~Copyable) throws(CapacityError) {
        switch self {
        case .hciSocket(let adapter): try adapter.write(to: &sink)
        case .unixStream(let path):
            try sink.append("unix:")
            try sink.append(path.span)
        case .unixSequencedPackets(let path):
            try sink.append("unix-seqpacket:")
            try sink.append(path.span)
        case .tcpClient(let address, let port):
            try sink.append("tcp-client:")
            try sink.append(address.span)
            try sink.append(UInt8(ascii: ":"))
            try sink.append(decimal: port)
        case .serial(let device, let baud, let flowControl):
            try sink.append("serial:")
            try sink.append(device.span)
            try sink.append(UInt8(ascii: ","))
            try sink.append(decimal: baud)
            if flowControl { try sink.append(",rtscts") }
        }
    }

    private static func path(_ text: Span<UInt8>) throws(TransportNameError) -> FixedText<108> {
        guard !text.isEmpty else { throw .pathMissing }
        guard let path = FixedText<108>(text) else { throw .pathTooLong }
        return path
    }

    private static func tcpClient(_ text: Span<UInt8>) throws(TransportNameError) -> TransportName {
        guard let colon = text.lastOffset(of: UInt8(ascii: ":")) else { throw .portNumber }
        let port = text.extracting(colon + 1..<text.count).decimalValue(maximum: 65535)
        guard let port, port > 0 else { throw .portNumber }
        let address = text.extracting(0..<colon)
        // The board has no resolver, but this one name is common.
        if address.isEqual(to: "localhost") {
            return .tcpClient(address: FixedText("127.0.0.1"), port: UInt16(truncatingIfNeeded: port))
        }
        guard address.isIPv4Address, let address = FixedText<16>(address) else { throw .numericAddress }
        return .tcpClient(address: address, port: UInt16(truncatingIfNeeded: port))
    }

    private static func serial(_ text: Span<UInt8>) throws(TransportNameError) -> TransportName {
        var rest = text
        var flowControl = false
        if let comma = rest.lastOffset(of: UInt8(ascii: ",")),
            rest.extracting(comma + 1..<rest.count).isEqual(to: "rtscts")
        {
            flowControl = true
            rest = rest.extracting(0..<comma)
        }
        guard let comma = rest.firstOffset(of: UInt8(ascii: ",")) else { throw .baudRate }
        let baud = rest.extracting(comma + 1..<rest.count).decimalValue(maximum: 4_000_000)
        guard let baud, BaudRate.isStandard(baud) else { throw .baudRate }
        guard comma > 0 else { throw .pathMissing }
        guard let device = FixedText<128>(rest.extracting(0..<comma)) else { throw .pathTooLong }
        return .serial(device: device, baud: baud, flowControl: flowControl)
    }
}

/// An error in the name of a transport.
public enum TransportNameError: Error, BitwiseCopyable, Equatable {
    case unknownKind
    case adapterNumber
    case adapterBus
    case adapterAddress
    case pathMissing
    case pathTooLong
    /// The port is missing, or not from 1 to 65535.
    case portNumber
    case numericAddress
    case baudRate

    var explanation: StaticString {
        switch self {
        case .unknownKind: "unknown kind of transport"
        case .adapterNumber: "the adapter is not a number from 0 to 65534"
        case .adapterBus:
            "unknown bus; write usb, uart, sdio, pci, virtual, or another name of the kernel"
        case .adapterAddress: "the adapter's address is not six pairs of hexadecimal digits, or is all zero"
        case .pathMissing: "the path is missing"
        case .pathTooLong: "the path is too long (at most 107 bytes for a socket, 127 for a device)"
        case .portNumber: "the TCP port is not a number from 1 to 65535"
        case .numericAddress: "the address is not a numeric IPv4 address (names are not looked up)"
        case .baudRate: "the speed is missing or not a serial port speed"
        }
    }
}

/// The speeds that Linux serial ports support by name.
public enum BaudRate {
    public static func isStandard(_ bitsPerSecond: UInt32) -> Bool {
        switch bitsPerSecond {
        case 9600, 19_200, 38_400, 57_600, 115_200, 230_400, 460_800, 500_000, 576_000, 921_600, 1_000_000,
            1_152_000, 1_500_000, 2_000_000, 2_500_000, 3_000_000, 3_500_000, 4_000_000:
            true
        default: false
        }
    }
}

extension Span where Element == UInt8 {
    /// Parses decimal digits without leading zeros; nil if there is anything else, or the number is above
    /// `maximum`.
    func decimalValue(maximum: UInt32) -> UInt32? {
        guard !isEmpty, count <= 10, count == 1 || self[0] != UInt8(ascii: "0") else { return nil }
        var value: UInt64 = 0
        for index in indices {
            guard UInt8(ascii: "0")...UInt8(ascii: "9") ~= self[index] else { return nil }
            value = value * 10 + UInt64(self[index] - UInt8(ascii: "0"))
        }
        return value <= UInt64(maximum) ? UInt32(truncatingIfNeeded: value) : nil
    }

    /// Whether the bytes are four numbers from 0 to 255, separated by dots.
    var isIPv4Address: Bool {
        var start = 0
        var numberCount = 0
        for index in 0...count where index == count || self[index] == UInt8(ascii: ".") {
            guard extracting(start..<index).decimalValue(maximum: 255) != nil else { return false }
            numberCount += 1
            start = index + 1
        }
        return numberCount == 4
    }
}
