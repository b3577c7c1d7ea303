import FixedMemory

/// The families of Herald payloads, by first byte (Herald payload interoperability specification, annex on
/// codes).
public enum HeraldFamily: BitwiseCopyable, Equatable, Sendable {
    /// 00 to 07: project-specific, with a 4-byte routing identifier in place of country and state.
    case routed
    /// 08 to 0F: project-specific, with country and state.
    case custom
    /// 10 to 17.
    case simple
    /// 20 to 27.
    case secured
    /// 30 to 37.
    case venue
    /// 80 to 87.
    case exposureNotification
    /// 88 to 8F.
    case robert
    /// 90 to 97.
    case openTrace
    /// 98 to 9F.
    case dp3t
    /// A0 to A7.
    case pact
    case reserved

    public init(type: UInt8) {
        switch type {
        case 0x00...0x07: self = .routed
        case 0x08...0x0f: self = .custom
        case 0x10...0x17: self = .simple
        case 0x20...0x27: self = .secured
        case 0x30...0x37: self = .venue
        case 0x80...0x87: self = .exposureNotification
        case 0x88...0x8f: self = .robert
        case 0x90...0x97: self = .openTrace
        case 0x98...0x9f: self = .dp3t
        case 0xa0...0xa7: self = .pact
        default: self = .reserved
        }
    }

    public var name: StaticString {
        switch self {
        case .routed: "routed"
        case .custom: "custom"
        case .simple: "simple"
        case .secured: "secured"
        case .venue: "venue"
        case .exposureNotification: "exposure notification"
        case .robert: "robert"
        case .openTrace: "opentrace"
        case .dp3t: "dp3t"
        case .pact: "pact"
        case .reserved: "reserved"
        }
    }
}

/// The 5 bytes with which Herald payloads begin: type, country (2), state (2). Integers are little-endian,
/// contrary to the specification, because every shipped implementation does it so.
public struct HeraldHeader: BitwiseCopyable, Equatable, Sendable {
    public static let byteCount = 5

    public var type: UInt8
    /// ISO 3166-1 numeric; 826 is the United Kingdom.
    public var country: UInt16
    /// 0 for the whole country.
    public var state: UInt16

    public var family: HeraldFamily { HeraldFamily(type: type) }

    public init(type: UInt8, country: UInt16, state: UInt16) {
        self.type = type
        self.country = country
        self.state = state
    }

    /// Reads the header of any payload except a routed one, which has none.
    public init(parsing bytes: Span<UInt8>) throws(HeraldPayloadError) {
        var reader = ByteReader(bytes)
        try self.init(from: &reader)
    }

    init(from reader: inout ByteReader) throws(HeraldPayloadError) {
        do throws(EndOfBytes) {
            type = try reader.readUInt8()
            country = try reader.readUInt16()
            state = try reader.readUInt16()
        } catch {
            throw .tooShort
        }
        guard family != .routed else { throw .headerMissing }
    }

    func write(to sink: inout some ByteSink & ~Copyable) throws(CapacityError) {
        try sink.append(type)
        try sink.append(littleEndian: country)
        try sink.append(littleEndian: state)
    }
}

public enum HeraldPayloadError: Error, BitwiseCopyable, Equatable, Sendable {
    /// The bytes end within the fixed part.
    case tooShort
    /// A routed payload, which has no country and no state.
    case headerMissing
    /// The first byte belongs to another family.
    case otherFamily
    /// A text of more than 255 bytes, or a payload of more than the specification allows.
    case tooLong
    /// A text that is not UTF-8.
    case notUTF8
}
