import FixedMemory

/// An additional fact about the device of an encounter.
public struct PeerDetailsEntry: Equatable, BitwiseCopyable, Sendable {
    public var encounter: UInt32
    public var instant: Instant
    public var detail: PeerDetail
    /// Its encoding depends on the detail.
    public var value: FixedBuffer<64>

    public init(encounter: UInt32, instant: Instant, detail: PeerDetail, value: FixedBuffer<64>) {
        self.encounter = encounter
        self.instant = instant
        self.detail = detail
        self.value = value
    }
}

/// The kind of fact. Values without a name here are read unchanged.
public struct PeerDetail: RawRepresentable, Equatable, BitwiseCopyable, Sendable {
    public var rawValue: UInt8
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    /// It now uses another address: six bytes, least significant first, and the address type (0 public, 1
    /// random).
    public static let otherAddress = PeerDetail(rawValue: 1)
    /// It advertises this pseudo device address: six bytes in on-air order.
    public static let pseudoAddress = PeerDetail(rawValue: 2)
    /// The model that it reports, UTF-8.
    public static let model = PeerDetail(rawValue: 3)
    /// The manufacturer that it reports, UTF-8.
    public static let manufacturer = PeerDetail(rawValue: 4)
    /// It wrote to us that it hears us this strongly: one byte, in dBm. The board measured nothing.
    public static let writtenRSSI = PeerDetail(rawValue: 5)
}

extension PeerDetailsEntry: EntryBody {
    func encode<Sink: ByteSink & ~Copyable>(into sink: inout Sink) throws(CapacityError) {
        try sink.append(leb128: encounter)
        try sink.append(leb128: instant)
        try sink.append(detail.rawValue)
        try sink.append(leb128: UInt32(truncatingIfNeeded: value.count))
        try sink.append(value.span)
    }

    init(from fields: inout FieldReader) throws(MalformedField) {
        encounter = try fields.readLEB128UInt32()
        instant = try fields.readInstant()
        detail = PeerDetail(rawValue: try fields.readUInt8())
        let byteCount = try fields.readLEB128UInt32()
        guard byteCount <= 64,
            let value = FixedBuffer<64>(try fields.readBytes(Int(truncatingIfNeeded: byteCount)))
        else { throw MalformedField() }
        self.value = value
    }
}
