import FlashSimulator

/// Adverts as devices in the field send them: AD structures of length, type and data.
public enum FieldAdverts {
    private static let legacyService: [UInt8] = [
        0x9b, 0xfd, 0x5b, 0xd6, 0x72, 0x45, 0x1e, 0x80, 0xd3, 0x42, 0x46, 0x47, 0xaf, 0x32, 0x81, 0x42,
    ]

    /// An Android phone with a current Herald: flags, FCF6, transmit power.
    public static let android: [UInt8] = [2, 1, 2, 3, 3, 0xf6, 0xfc, 2, 0x0a, 0x0c]
    /// An Android phone with the earlier 128-bit service.
    public static let legacy: [UInt8] = [2, 1, 2, 17, 7] + legacyService
    /// An Android phone that changes its address every few seconds. A pseudo device address of six bytes
    /// identifies it. The current form is 17 bytes long; the older one fills an advert.
    public static func pseudoAddress(_ bytes: [UInt8], isLegacy: Bool) -> [UInt8] {
        isLegacy
            ? legacy + [9, 0xff, 0xfa, 0xff] + bytes
            : [2, 1, 2, 3, 3, 0xf6, 0xfc, 9, 0xff, 0xf1, 0x05] + bytes
    }

    /// An iPhone whose apps are in the background. Only a bit in the overflow area hints at the app.
    public static let overflow: [UInt8] =
        [2, 1, 0x1a, 2, 0x0a, 0x0c, 20, 0xff, 0x4c, 0x00, 0x01] + [0, 0, 0, 0x10]
        + [UInt8](repeating: 0, count: 12)
    public static let earphones: [UInt8] = [2, 1, 6, 3, 3, 0x0f, 0x18, 9, 9] + Array("Earphone".utf8)
    public static let television: [UInt8] = [
        2, 1, 0x1a, 2, 0x0a, 0x0c, 0x0a, 0xff, 0x4c, 0x00, 0x10, 5, 8, 0x14, 0x1b, 0xba, 0x69,
    ]

    /// Google and Apple's Exposure Notification: service FD6F, 16 bytes of identifier, 4 of metadata.
    public static func exposureNotification(_ random: inout RandomStream) -> [UInt8] {
        [2, 1, 0x1a, 3, 3, 0x6f, 0xfd, 23, 0x16, 0x6f, 0xfd] + random.bytes(20)
    }

    public static func named(_ name: String) -> [UInt8] {
        let name = Array(name.utf8.prefix(26))
        return [2, 1, 6, UInt8(name.count + 1), 9] + name
    }

    /// Data that is meaningless or nearly valid: cut off, with impossible lengths, or all zeros.
    public static func hostile(_ random: inout RandomStream) -> [UInt8] {
        switch random.below(6) {
        case 0: return [4, 0xff, 0x4c, 0, 0x10]
        case 1: return [UInt8](repeating: 0, count: 31)
        case 2: return [0xff] + random.bytes(30)
        case 3: return [30, 0xff, 0x4c, 0, 1, 16] + random.bytes(25)
        case 4: return [3, 3, 0xf6]
        default: return random.bytes(Int(random.below(32)))
        }
    }
}
