import EncounterLog
import FixedMemory
import HCI
import Peers

/// What an advert says about its sender, in Herald's terms.
public struct HeraldRecognition: BitwiseCopyable, Sendable {
    // Bits of a number, not properties each: this is made for every report, and four of them take four registers.
    private static let currentService: UInt8 = 1
    private static let legacyService: UInt8 = 2
    private static let appleOverflow: UInt8 = 4
    private static let damage: UInt8 = 8

    private var findings: UInt8 = 0
    private var transmitPowerDBm = Int8.min

    public var hasCurrentService: Bool { findings & Self.currentService != 0 }
    public var hasLegacyService: Bool { findings & Self.legacyService != 0 }
    /// An Apple device whose apps advertise in the background: which services, only a connection can tell.
    public var hasAppleOverflow: Bool { findings & Self.appleOverflow != 0 }
    /// The AD structures ended in the middle of one; what came before it counts.
    public var isDamaged: Bool { findings & Self.damage != 0 }
    public var transmitPower: TransmitPower? { TransmitPower(dBm: transmitPowerDBm) }

    @inline(__always)
    public init(_ advert: Span<UInt8>) {
        var structures = AdvertisingStructures(advert)
        while let structure = structures.next() {
            var data = structure.data
            switch structure.type {
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
            case .transmitPower:
                if data.count == 1 { transmitPowerDBm = Int8(bitPattern: data[0]) }
            case .manufacturerData:
                if Self.isAppleOverflow(data) { findings |= Self.appleOverflow }
            default: break
            }
        }
        if structures.isDamaged { findings |= Self.damage }
    }

    /// Company 004C, message type 01 without a length, then a mask of 16 bytes; all zero, no service stands behind
    /// it. Other messages of Apple's (type, length, data) may come first, and type 01 takes the rest.
    @inline(__always)
    private static func isAppleOverflow(_ data: Span<UInt8>) -> Bool {
        var rest = data
        guard let company = rest.takeFirst(2), company.loadUInt16(at: 0) == 0x004c else { return false }
        while rest.count >= 17, let type = rest.takeFirst(1) {
            if type[0] == 0x01 { return rest.loadUInt64(at: 0) | rest.loadUInt64(at: 8) != 0 }
            guard let length = rest.takeFirst(1), rest.takeFirst(Int(length[0])) != nil else { return false }
        }
        return false
    }

    @inline(__always)
    public var interest: PeerInterest {
        if hasCurrentService || hasLegacyService { return .participant }
        return hasAppleOverflow ? .candidate : .passerBy
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
            address: report.address, rssi: report.rssi, transmitPower: recognition.transmitPower,
            interest: recognition.interest, foundBy: recognition.foundBy,
            isConnectable: report.kind == .connectable || report.kind == .connectableDirected)
    }
}
