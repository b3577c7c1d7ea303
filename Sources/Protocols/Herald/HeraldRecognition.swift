import EncounterLog
import FixedMemory
import HCI
import Peers

/// What an advert says about its sender, in Herald's terms.
public struct HeraldRecognition: BitwiseCopyable, Sendable {
    public private(set) var hasCurrentService = false
    public private(set) var hasLegacyService = false
    /// An Apple device whose apps advertise in the background: which services, only a connection can tell.
    public private(set) var hasAppleOverflow = false
    public private(set) var transmitPower: TransmitPower?
    /// The AD structures ended in the middle of one; what came before it counts.
    public private(set) var isDamaged = false

    @inline(__always)
    public init(_ advert: Span<UInt8>) {
        var structures = AdvertisingStructures(advert)
        while let structure = structures.next() {
            let data = structure.data
            switch structure.type {
            case .incompleteServices16, .completeServices16:
                var offset = 0
                while offset + 2 <= data.count {
                    if data.loadUInt16(at: offset) == HeraldService.currentShort { hasCurrentService = true }
                    offset += 2
                }
            case .incompleteServices128, .completeServices128:
                var offset = 0
                while offset + 16 <= data.count {
                    if data.loadUInt64(at: offset) == HeraldService.legacyLow,
                        data.loadUInt64(at: offset + 8) == HeraldService.legacyHigh
                    {
                        hasLegacyService = true
                    }
                    offset += 16
                }
            case .transmitPower:
                if data.count == 1 { transmitPower = TransmitPower(dBm: Int8(bitPattern: data[0])) }
            case .manufacturerData:
                if Self.isAppleOverflow(data) { hasAppleOverflow = true }
            default: break
            }
        }
        isDamaged = structures.isDamaged
    }

    /// Company 004C, message type 01 without a length, then a mask of 16 bytes; all zero, no service stands behind
    /// it. Other messages of Apple's (type, length, data) may come first, and type 01 takes the rest.
    @inline(__always)
    private static func isAppleOverflow(_ data: Span<UInt8>) -> Bool {
        guard data.count >= 2 + 17, data.loadUInt16(at: 0) == 0x004c else { return false }
        var offset = 2
        while data.count - offset >= 17 {
            if data[offset] == 0x01 {
                return data.loadUInt64(at: offset + 1) | data.loadUInt64(at: offset + 9) != 0
            }
            offset += 2 + Int(data[offset + 1])
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
