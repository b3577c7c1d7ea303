import EncounterLog
import FixedMemory
import HCI
import Peers

/// The content of an advert about its sender, as Herald reads it.
public struct HeraldRecognition: BitwiseCopyable, Sendable {
    // Bits of one number, because every report creates this value and five properties would take five
    // registers.
    private static let currentService: UInt64 = 1
    private static let legacyService: UInt64 = 2
    private static let appleOverflow: UInt64 = 4
    private static let damage: UInt64 = 8
    private static let pseudoAddress: UInt64 = 16

    /// The flags above, and in the upper 48 bits the pseudo address.
    private var findings: UInt64 = 0
    var rawTransmitPower = TransmitPower.unknownDBm

    public var hasCurrentService: Bool { findings & Self.currentService != 0 }
    public var hasLegacyService: Bool { findings & Self.legacyService != 0 }
    /// An Apple device with apps that advertise in the background. Only a connection shows which services
    /// they have.
    public var hasAppleOverflow: Bool { findings & Self.appleOverflow != 0 }
    /// Whether an AD structure was cut off. The structures before it count.
    public var isDamaged: Bool { findings & Self.damage != 0 }
    public var transmitPower: TransmitPower? { TransmitPower(dBm: rawTransmitPower) }

    /// The pseudo device address, which outlives the sender's on-air address (HP-C14): exactly six bytes
    /// after one of Herald's manufacturer identifiers (HP-C17). Of two, the last counts.
    @inline(__always)
    public var pseudoAddress: PeerKey? {
        findings & Self.pseudoAddress == 0 ? nil : PeerKey(pseudoAddress: findings >> 16)
    }

    /// The sender's key, if it is not the on-air address. Without a Herald service in the same advert, the
    /// manufacturer data may belong to any device. The newer identifier is the Linux Foundation's, and many
    /// Zephyr devices send it.
    @inline(__always)
    public var key: PeerKey? {
        // This check comes first and on its own, because few senders have a pseudo address.
        guard _slowPath(findings & Self.pseudoAddress != 0), interest == .participant else { return nil }
        return PeerKey(pseudoAddress: findings >> 16)
    }

    @inline(__always)
    public init(_ advert: Span<UInt8>) {
        var structures = AdvertisingStructures(advert)
        while let structure = structures.next() {
            var data = structure.data
            // The most frequent type comes first.
            if _fastPath(structure.type == .manufacturerData) {
                guard let company = data.takeFirst(2) else { continue }
                let identifier = company.loadUInt16(at: 0)
                if _fastPath(identifier == HeraldService.apple) {
                    if Self.isOverflow(data) { findings |= Self.appleOverflow }
                } else if identifier == HeraldService.manufacturer
                    || identifier == HeraldService.legacyManufacturer
                {
                    guard data.count == 6, let address = data.takeFirst(6) else { continue }
                    findings = address.loadUInt48(at: 0) << 16 | findings & 0xff | Self.pseudoAddress
                }
                continue
            }
            switch structure.type {
            case .transmitPower:
                if data.count == 1 { rawTransmitPower = Int8(bitPattern: data[0]) }
            case .incompleteServices16, .completeServices16:
                while let service = data.takeFirst(2) {
                    if service.loadUInt16(at: 0) == HeraldService.currentShort {
                        findings |= Self.currentService
                    }
                }
            case .incompleteServices128, .completeServices128:
                while let service = data.takeFirst(16) {
                    if service.loadUInt64(at: 0) == HeraldService.legacyLow,
                        service.loadUInt64(at: 8) == HeraldService.legacyHigh
                    {
                        findings |= Self.legacyService
                    }
                }
            default: break
            }
        }
        if structures.isDamaged { findings |= Self.damage }
    }

    /// Whether a service stands in the overflow area, a mask of 16 bytes. The bit is known for Herald's old
    /// service only (HP-C20), so any bit counts.
    @inline(__always)
    private static func isOverflow(_ data: Span<UInt8>) -> Bool {
        // Most data from Apple devices are shorter.
        guard data.count >= 17 else { return false }
        var messages = AppleMessages(data)
        while let message = messages.next() {
            var mask = message.data
            guard message.type == AppleMessage.overflow else { continue }
            guard let bits = mask.takeFirst(16) else { return false }
            return bits.loadUInt64(at: 0) | bits.loadUInt64(at: 8) != 0
        }
        return false
    }

    @inline(__always)
    public var interest: PeerInterest {
        if hasCurrentService || hasLegacyService { return .participant }
        return hasAppleOverflow ? .candidate : .ignored
    }

    @inline(__always)
    public var foundBy: PeerHint {
        switch (hasCurrentService, hasLegacyService) {
        case (true, true): .bothServices
        case (true, false): .heraldService
        case (false, true): .legacyService
        case (false, false): .appleOverflow
        }
    }
}

extension Sighting {
    /// A report as Herald reads it.
    @inline(__always)
    public init(_ report: borrowing AdvertisingReport, _ recognition: HeraldRecognition) {
        self.init(
            address: report.address, rawRSSI: report.rawRSSI,
            rawTransmitPower: recognition.rawTransmitPower, interest: recognition.interest,
            foundBy: recognition.foundBy,
            isConnectable: report.kind == .connectable || report.kind == .connectableDirected)
    }
}
