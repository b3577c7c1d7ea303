import FixedMemory

/// The command sequence that initialises a controller, one command at a time: reset, event masks (a reset
/// clears them), version, address, supported commands, LE features, buffers, random address.
public struct ControllerBringUp: Sendable, BitwiseCopyable {
    private enum Step: UInt8 {
        case reset, eventMask, lowEnergyEventMask, version, address, commands, features, lowEnergyBuffers,
            buffers,
            randomAddress, done
    }

    private var step = Step.reset
    private let randomAddress: DeviceAddress
    private let lowEnergyEventMask: UInt64
    public private(set) var information = ControllerInformation()

    /// `randomAddress` is the static random address to use. For `lowEnergyEventMask` see ``EventMask``.
    public init(randomAddress: DeviceAddress, lowEnergyEventMask: UInt64 = EventMask.lowEnergy) {
        self.randomAddress = randomAddress
        self.lowEnergyEventMask = lowEnergyEventMask
    }

    public var isComplete: Bool { step == .done }

    /// The command to send now; it stays the same until `accept` has taken its answer.
    public var command: Command? {
        switch step {
        case .reset: .reset
        case .eventMask: .setEventMask(EventMask.general)
        case .lowEnergyEventMask: .leSetEventMask(lowEnergyEventMask)
        case .version: .readLocalVersion
        case .address: .readDeviceAddress
        case .commands: .readLocalSupportedCommands
        case .features: .leReadLocalFeatures
        case .lowEnergyBuffers: .leReadBufferSize
        case .buffers: .readBufferSize
        case .randomAddress: .leSetRandomAddress(randomAddress)
        case .done: nil
        }
    }

    /// Processes the return parameters of ``command``, which start with the status.
    public mutating func accept(_ returned: Span<UInt8>) throws(BringUpError) {
        guard let opCode = command?.opCode else { return }
        guard returned.count > 0 else { throw .truncatedAnswer(opCode) }
        let status = Status(rawValue: returned[0])
        guard status == .success else { throw .refused(opCode, status) }
        var reader = ByteReader(returned.extracting(1..<returned.count))
        do throws(EndOfBytes) { try read(&reader) } catch { throw .truncatedAnswer(opCode) }
    }

    private mutating func read(_ reader: inout ByteReader) throws(EndOfBytes) {
        switch step {
        case .reset: step = .eventMask
        case .eventMask: step = .lowEnergyEventMask
        case .lowEnergyEventMask: step = .version
        case .version:
            information.hciVersion = try reader.readUInt8()
            information.firmware = try reader.readUInt16()
            _ = try reader.readUInt8()
            information.manufacturer = try reader.readUInt16()
            step = .address
        case .address:
            let address: Bytes<6> = try reader.readBlock()
            information.publicAddress = DeviceAddress(value: address.span.loadUInt48(at: 0), isRandom: false)
            step = .commands
        case .commands:
            information.supportedCommands = try reader.readBlock()
            step = .features
        case .features:
            information.lowEnergyFeatures = try reader.readUInt64()
            step = .lowEnergyBuffers
        case .lowEnergyBuffers:
            let byteCount = Int(try reader.readUInt16())
            let packetCount = Int(try reader.readUInt8())
            // Zero means that LE shares the buffers of BR/EDR.
            if byteCount == 0 || packetCount == 0 {
                step = .buffers
            } else {
                setBuffers(byteCount: byteCount, packetCount: packetCount)
            }
        case .buffers:
            let byteCount = Int(try reader.readUInt16())
            _ = try reader.readUInt8()
            setBuffers(byteCount: byteCount, packetCount: Int(try reader.readUInt16()))
        case .randomAddress: step = .done
        case .done: break
        }
    }

    private mutating func setBuffers(byteCount: Int, packetCount: Int) {
        // Every LE controller accepts 27 bytes; more than 1,024 would not fit the agent's own packets.
        information.aclDataByteCount = min(max(byteCount, 27), 1024)
        information.aclPacketCount = max(packetCount, 1)
        step = .randomAddress
    }
}

public enum BringUpError: Error, BitwiseCopyable, Equatable, Sendable {
    case refused(OpCode, Status)
    case truncatedAnswer(OpCode)
}
