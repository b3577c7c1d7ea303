import FixedMemory

/// One AD structure: type and data. Source: Bluetooth Core 5.4, Vol 3, Part C, 11.
public struct AdvertisingStructure: ~Escapable {
    public let type: AdvertisingDataType
    public let data: Span<UInt8>

    @inline(__always)
    @_lifetime(copy data)
    init(type: AdvertisingDataType, data: Span<UInt8>) {
        self.type = type
        self.data = data
    }
}

/// Source: Assigned Numbers, 2.3.
public struct AdvertisingDataType: RawRepresentable, Equatable, Sendable, BitwiseCopyable {
    public let rawValue: UInt8
    @inline(__always)
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    public static let flags = AdvertisingDataType(rawValue: 0x01)
    public static let incompleteServices16 = AdvertisingDataType(rawValue: 0x02)
    public static let completeServices16 = AdvertisingDataType(rawValue: 0x03)
    public static let incompleteServices128 = AdvertisingDataType(rawValue: 0x06)
    public static let completeServices128 = AdvertisingDataType(rawValue: 0x07)
    public static let transmitPower = AdvertisingDataType(rawValue: 0x0a)
    public static let manufacturerData = AdvertisingDataType(rawValue: 0xff)
}

/// The AD structures of an advert, front to back: length (1, counting the type), type (1), data. Zero lengths are
/// padding. A length beyond the end stops the walk and is noted; what came before it stays good.
public struct AdvertisingStructures: ~Escapable {
    private let bytes: Span<UInt8>
    private var offset = 0
    public private(set) var isDamaged = false

    @inline(__always)
    @_lifetime(copy bytes)
    public init(_ bytes: Span<UInt8>) { self.bytes = bytes }

    @inline(__always)
    @_lifetime(copy self)
    public mutating func next() -> AdvertisingStructure? {
        while offset < bytes.count {
            let length = Int(bytes[offset])
            if length == 0 {
                offset += 1
                continue
            }
            guard length < bytes.count - offset else {
                isDamaged = true
                offset = bytes.count
                return nil
            }
            let start = offset + 2
            let structure = AdvertisingStructure(
                type: AdvertisingDataType(rawValue: bytes[offset + 1]),
                data: bytes.extracting(start..<offset + 1 + length))
            offset += 1 + length
            return structure
        }
        return nil
    }
}
