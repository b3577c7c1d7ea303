import EncounterLog
import FixedMemory
import GATT
import HCI
import Peers
import Schemes

/// An advert that shows a scheme other than Herald, by a service or by service data. In some schemes the
/// service data are the sender's current identity, so the agent need not connect. It connects to devices of
/// Sonar, CovidTracer and BLE-Proximity to read theirs.
public struct SchemeAdvert: BitwiseCopyable, Sendable {
    public let foundBy: PeerHint
    /// Nil without service data, or if they do not have the scheme's length.
    public let identity: AdvertisedIdentity?

    /// Finds the first scheme in the advert: service data first, then services of schemes read over links,
    /// then other services. An advert with nothing but flags and transmit power counts as empty. Nil if
    /// there is none of these.
    public init?(_ advert: Span<UInt8>, among heard: PeerHintSet = .allSchemes) {
        var found: PeerHint?
        var isBare = true
        var structures = AdvertisingStructures(advert)
        while let structure = structures.next() {
            var data = structure.data
            if structure.type != .flags, structure.type != .transmitPower { isBare = false }
            switch structure.type {
            case .serviceData16:
                guard let service = data.takeFirst(2), let hint = Self.hint(service.loadUInt16(at: 0)),
                    heard.contains(hint)
                else { continue }
                foundBy = hint
                identity = Self.identity(hint, data)
                return
            case .incompleteServices16, .completeServices16:
                while found == nil, let service = data.takeFirst(2) {
                    let hint = Self.hint(service.loadUInt16(at: 0))
                    if let hint, heard.contains(hint) { found = hint }
                }
            case .incompleteServices128, .completeServices128:
                while let service = data.takeFirst(16) {
                    let hint = Self.hint(service.loadUInt64(at: 8), service.loadUInt64(at: 0))
                    if let hint, heard.contains(hint), found == nil || hint != .blueTrace { found = hint }
                }
            default: break
            }
        }
        if found == nil, isBare, heard.contains(.emptyAdvert) { found = .emptyAdvert }
        guard let found else { return nil }
        foundBy = found
        identity = nil
    }

    private static func hint(_ service: UInt16) -> PeerHint? {
        switch service {
        case 0xfd6f: .exposureNotification
        case 0xfd64: .robert
        case 0xfd68: .dp3t
        case 0xc019: .tcn
        default: nil
        }
    }

    /// The identity in the service data: of Exposure Notification an identifier (16 bytes) and encrypted
    /// metadata (4). Of ROBERT a HELLO (16), and metadata (4) that the first apps left out. Of DP-3T and TCN
    /// 16 bytes.
    private static func identity(_ hint: PeerHint, _ data: Span<UInt8>) -> AdvertisedIdentity? {
        switch hint {
        case .exposureNotification where data.count == 20:
            AdvertisedIdentity(.exposureNotification, data)
        case .robert where data.count == 20 || data.count == 16: AdvertisedIdentity(.robert, data)
        case .dp3t where data.count == 16: AdvertisedIdentity(.dp3t, data)
        case .tcn where data.count == 16: AdvertisedIdentity(.tcn, data)
        default: nil
        }
    }

    /// The scheme of a 128-bit service. BlueTrace's are OpenTrace's, the one that TraceTogether and COVIDSafe
    /// share, and two more of COVIDSafe's builds.
    private static func hint(_ high: UInt64, _ low: UInt64) -> PeerHint? {
        let service = BluetoothUUID(high: high, low: low)
        if let known = SchemeService(service: service) { return known.scheme.hint }
        switch (high, low) {
        case (0xa6ba_4286_c550_4794, 0xa888_9467_ef0b_31a8), (0xb82a_b3fc_1595_4f6a, 0x80f0_fe09_4cc2_18f9),
            (0x17e0_33d3_490e_4bc9, 0x9fe8_2f56_7643_f4d3), (0xcc0a_c8b7_03b5_4252, 0x8d84_44d1_99e1_6065):
            return .blueTrace
        default: return nil
        }
    }
}
