import FixedMemory

/// One AD structure: a type and its data. Source: Bluetooth Core 5.4, Vol 3, Part C, 11.
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

/// The type of an AD structure. Source: Assigned Numbers, 2.3.
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
    public static let serviceData16 = AdvertisingDataType(rawValue: 0x16)
    public static let manufacturerData = AdvertisingDataType(rawValue: 0xff)
}

/// Iterates over the AD structures of an advert: length (1, counting the type), type (1), data. Zero lengths
/// are padding. A length beyond the end stops the iteration and sets `isDamaged`; earlier structures stay
/// valid.
public struct AdvertisingStructures: ~Escapable {
    private var rest: Span<UInt8>
    public private(set) var isDamaged = false

    @inline(__always)
    @_lifetime(copy bytes)
    public init(_ bytes: Span<UInt8>) { rest = bytes }

    @inline(__always)
    @_lifetime(copy self)
    public mutating func next() -> AdvertisingStructure? {
        while rest.count > 0 {
            guard var data = rest.takeFirst(1 + Int(rest[0])) else {
                isDamaged = true
                rest = Span()
                return nil
            }
            guard let header = data.takeFirst(2) else { continue }
            return AdvertisingStructure(type: AdvertisingDataType(rawValue: header[1]), data: data)
        }
        return nil
    }
}
