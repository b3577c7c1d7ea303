import FixedMemory

/// The summary of an encounter's RSSI readings in one time bucket.
public struct SampleEntry: Equatable, BitwiseCopyable, Sendable {
    public var encounter: UInt32
    /// Monotonic time of the first reading in the bucket.
    public var start: Instant
    /// Monotonic time of the last reading in the bucket.
    public var end: Instant
    public var readings: UInt16
    public var minimumRSSIDBm: Int8
    public var maximumRSSIDBm: Int8
    /// The mean RSSI in tenths of a dBm: -655 is -65.5 dBm.
    public var meanRSSITenthsDBm: Int16
    /// The transmit power that the peer reports; 127 if it reports none.
    public var txPowerDBm: Int8

    public static let unknownTxPowerDBm: Int8 = 127

    public init(
        encounter: UInt32, start: Instant, end: Instant, readings: UInt16,
        minimumRSSIDBm: Int8, maximumRSSIDBm: Int8, meanRSSITenthsDBm: Int16,
        txPowerDBm: Int8 = SampleEntry.unknownTxPowerDBm
    ) {
        self.encounter = encounter
        self.start = start
        self.end = end
        self.readings = readings
        self.minimumRSSIDBm = minimumRSSIDBm
        self.maximumRSSIDBm = maximumRSSIDBm
        self.meanRSSITenthsDBm = meanRSSITenthsDBm
        self.txPowerDBm = txPowerDBm
    }
}

extension SampleEntry: EntryBody {
    func encode<Sink: ByteSink & ~Copyable>(into sink: inout Sink) throws(CapacityError) {
        try sink.append(leb128: encounter)
        try sink.append(leb128: start)
        try sink.append(leb128: end &- start)
        try sink.append(leb128: UInt32(readings))
        try sink.append(minimumRSSIDBm)
        try sink.append(maximumRSSIDBm)
        try sink.append(littleEndian: UInt16(bitPattern: meanRSSITenthsDBm))
        try sink.append(txPowerDBm)
    }

    init(from fields: inout FieldReader) throws(MalformedField) {
        encounter = try fields.readLEB128UInt32()
        start = try fields.readInstant()
        end = start &+ (try fields.readInterval())
        readings = try fields.readLEB128UInt16()
        minimumRSSIDBm = Int8(bitPattern: try fields.readUInt8())
        maximumRSSIDBm = Int8(bitPattern: try fields.readUInt8())
        meanRSSITenthsDBm = Int16(bitPattern: try fields.readUInt16())
        txPowerDBm = Int8(bitPattern: try fields.readUInt8())
    }
}
