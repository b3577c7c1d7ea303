import FixedMemory

/// The command sequence that initialises a controller, one command at a time: reset, event masks (a reset
/// clears them), version, address, supported commands, LE features, buffers, random address.
///
/// The agent cannot do without the reset, one of the event masks, and an address to send under. All other
/// answers only inform, so a refusal or an answer that is too short is noted in ``information`` and passed
/// over.
public struct ControllerBringUp: Sendable, BitwiseCopyable {
    private enum Step: UInt8 {
        case reset, eventMask, lowEnergyEventMask, version, address, commands, features, lowEnergyBuffers,
            buffers,
            randomAddress, done
    }

    private var step = Step.reset
    private let randomAddress: DeviceAddress
    private let lowEnergyEventMask: UInt64
    private let publicAddressUse: PublicAddressUse
    /// LE has no buffers of its own, as far as the controller tells.
    private var sharesBuffers = false
    public private(set) var information = ControllerInformation()

    /// - Parameters:
    ///   - randomAddress: the random address to send under.
    ///   - publicAddressUse: whether the controller's own address may take its place.
    ///   - lowEnergyEventMask: see ``EventMask``.
    public init(
        randomAddress: DeviceAddress, publicAddressUse: PublicAddressUse = .never,
        lowEnergyEventMask: UInt64 = EventMask.lowEnergy
    ) {
        self.randomAddress = randomAddress
        self.publicAddressUse = publicAddressUse
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
        var reader = ByteReader(returned)
        var failure = BringUpError.truncatedAnswer(opCode)
        do throws(EndOfBytes) {
            let status = Status(rawValue: try reader.readUInt8())
            if status == .success {
                try read(&reader)
                return advance()
            }
            failure = .refused(opCode, status)
        } catch {}
        guard canDoWithout() else { throw failure }
        advance()
    }

    /// Notes that the current command has no answer of use.
    /// - Returns: false if the agent cannot do without it.
    private mutating func canDoWithout() -> Bool {
        switch step {
        case .reset, .done: return false
        case .eventMask: information.refusesEventMask = true
        case .lowEnergyEventMask:
            information.refusesLowEnergyEventMask = true
            return !information.refusesEventMask
        case .lowEnergyBuffers: sharesBuffers = true
        case .version, .address, .commands, .features, .buffers: information.isIncomplete = true
        case .randomAddress:
            information.usesPublicAddress = publicAddressUse != .never && information.hasPublicAddress
            return information.usesPublicAddress
        }
        return true
    }

    private mutating func advance() {
        step = Step(rawValue: step.rawValue + 1) ?? .done
        if step == .buffers, !sharesBuffers { step = .randomAddress }
        if step == .randomAddress, publicAddressUse == .always, information.hasPublicAddress {
            information.usesPublicAddress = true
            step = .done
        }
    }

    private mutating func read(_ reader: inout ByteReader) throws(EndOfBytes) {
        switch step {
        case .version:
            information.hciVersion = try reader.readUInt8()
            information.firmware = try reader.readUInt16()
            _ = try reader.readUInt8()
            information.manufacturer = try reader.readUInt16()
        case .address:
            let address: Bytes<6> = try reader.readBlock()
            information.publicAddress = DeviceAddress(value: address.span.loadUInt48(at: 0), isRandom: false)
        case .commands: information.supportedCommands = try reader.readBlock()
        case .features: information.lowEnergyFeatures = try reader.readUInt64()
        case .lowEnergyBuffers:
            let byteCount = Int(try reader.readUInt16())
            let packetCount = Int(try reader.readUInt8())
            // Zero means that LE shares the buffers of BR/EDR.
            sharesBuffers = byteCount == 0 || packetCount == 0
            if !sharesBuffers { setBuffers(byteCount: byteCount, packetCount: packetCount) }
        case .buffers:
            let byteCount = Int(try reader.readUInt16())
            _ = try reader.readUInt8()
            setBuffers(byteCount: byteCount, packetCount: Int(try reader.readUInt16()))
        case .reset, .eventMask, .lowEnergyEventMask, .randomAddress, .done: break
        }
    }

    private mutating func setBuffers(byteCount: Int, packetCount: Int) {
        // Every LE controller accepts 27 bytes; more than 1,024 would not fit the agent's own packets.
        information.aclDataByteCount = min(max(byteCount, 27), 1024)
        information.aclPacketCount = max(packetCount, 1)
    }
}

/// Whether the board sends under the controller's public address.
public enum PublicAddressUse: UInt8, BitwiseCopyable, Sendable {
    case never
    /// If the controller refuses a random address.
    case ifNeeded
    case always
}

public enum BringUpError: Error, BitwiseCopyable, Equatable, Sendable {
    case refused(OpCode, Status)
    case truncatedAnswer(OpCode)
}
