import EncounterLog
import FixedMemory
import HCI
import Peers

/// What an advert says about its sender, in Herald's terms.
public struct HeraldRecognition: BitwiseCopyable, Sendable {
    // Parts of a number, not properties each: this is made for every report, and five of them take five registers.
    private static let currentService: UInt64 = 1
    private static let legacyService: UInt64 = 2
    private static let appleOverflow: UInt64 = 4
    private static let damage: UInt64 = 8
    private static let pseudoAddress: UInt64 = 16

    /// The findings above, and in the upper 48 bits the pseudo address.
    private var findings: UInt64 = 0
    var rawTransmitPower = TransmitPower.unknownDBm

    public var hasCurrentService: Bool { findings & Self.currentService != 0 }
    public var hasLegacyService: Bool { findings & Self.legacyService != 0 }
    /// An Apple device whose apps advertise in the background: which services, only a connection can tell.
    public var hasAppleOverflow: Bool { findings & Self.appleOverflow != 0 }
    /// The AD structures ended in the middle of one; what came before it counts.
    public var isDamaged: Bool { findings & Self.damage != 0 }
    public var transmitPower: TransmitPower? { TransmitPower(dBm: rawTransmitPower) }

    /// The sender's name for as long as it likes, which outlives its address (HP-C14): six bytes behind one of Herald's
    /// manufacturer identifiers, no more and no less (HP-C17). Of two, the last one.
    @inline(__always)
    public var pseudoAddress: PeerKey? {
        findings & Self.pseudoAddress == 0 ? nil : PeerKey(pseudoAddress: findings >> 16)
    }

    /// What the sender is known by, unless it is by its address. Without a Herald service beside it the same manufacturer
    /// data may be anybody's: the newer identifier is the Linux Foundation's, and many a Zephyr device has it.
    @inline(__always)
    public var key: PeerKey? {
        // Asked first and by itself, for few have one.
        guard _slowPath(findings & Self.pseudoAddress != 0), interest == .participant else { return nil }
        return PeerKey(pseudoAddress: findings >> 16)
    }

    @inline(__always)
    public init(_ advert: Span<UInt8>) {
        var structures = AdvertisingStructures(advert)
        while let structure = structures.next() {
            var data = structure.data
            // The most frequent first.
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

    /// A mask of 16 bytes; all zero, no service stands behind it. Which bit is Herald's is known of its old service only
    /// (HP-C20), so any bit will do.
    @inline(__always)
    private static func isOverflow(_ data: Span<UInt8>) -> Bool {
        // Most of what Apple's devices send is shorter.
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
