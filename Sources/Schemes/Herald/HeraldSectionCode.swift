/// The meaning of a section of extended data (Herald payload interoperability specification, annex on
/// extended data). Shipped software has names for ``name`` through ``url`` only.
public enum HeraldSectionCode: UInt8, BitwiseCopyable, Sendable {
    case version = 0x00
    case rssiKind = 0x01
    case rssiError = 0x02
    case range = 0x03
    case rangeError = 0x04
    case place = 0x05
    case coordinates = 0x06
    case webMercator = 0x07
    case geocentric = 0x08
    case name = 0x10
    case area = 0x11
    case disambiguation = 0x12
    case url = 0x13
    case address = 0x14
    case entrySource = 0x15
    case sourceVersion = 0x16
    case company = 0x17
    case companyNumber = 0x18
    case eventStart = 0x20
    case eventEnd = 0x21
    case originData = 0x3e
    case authorityData = 0x3f
    case lastRSSI = 0x40
    case transmitPower = 0x41
    case model = 0x42

    /// The encoding of a section's bytes. Numbers are little-endian.
    public enum Kind: BitwiseCopyable, Equatable, Sendable {
        case unsigned8
        case signed8
        case unsigned32
        /// Whole seconds since 1970, UTC.
        case time
        /// 32 bits of IEEE 754, in metres.
        case metres
        /// Latitude and longitude, 16 bits each, in minutes of arc (WGS 84).
        case minutes
        /// UTF-8.
        case text
        /// Opaque bytes of another party, or an encoding that nobody has published.
        case data
    }

    public var kind: Kind {
        switch self {
        case .version, .rssiKind, .rssiError, .transmitPower: .unsigned8
        case .lastRSSI: .signed8
        case .companyNumber: .unsigned32
        case .eventStart, .eventEnd: .time
        case .range, .rangeError: .metres
        case .coordinates: .minutes
        case .place, .name, .area, .disambiguation, .url, .address, .entrySource, .sourceVersion, .company,
            .model:
            .text
        case .webMercator, .geocentric, .originData, .authorityData: .data
        }
    }
}
