import FixedMemory

/// The configuration in force from now on: what it takes to read the log with understanding, and a digest of all of it.
/// What shapes encounters stands in the boot entry.
public struct ConfigurationEntry: Equatable, BitwiseCopyable, Sendable {
    public var monotonicMilliseconds: UInt64
    /// The first 16 bytes of SHA-256 of what `tabard config` prints.
    public var digest: Bytes<16>
    /// 0: nothing is erased for its age.
    public var retentionDays: UInt16
    public var scans: Bool
    public var advertises: Bool
    /// In slots of 0.625 ms, as are the next two.
    public var scanIntervalSlots: UInt16
    public var scanWindowSlots: UInt16
    public var advertisingIntervalSlots: UInt16
    /// Room for so many.
    public var peerCapacity: UInt32
    /// Where a beacon stands, if the configuration says so.
    public var position: GeographicPosition?

    public init(
        monotonicMilliseconds: UInt64, digest: Bytes<16>, retentionDays: UInt16, scans: Bool,
        advertises: Bool, scanIntervalSlots: UInt16, scanWindowSlots: UInt16,
        advertisingIntervalSlots: UInt16, peerCapacity: UInt32, position: GeographicPosition? = nil
    ) {
        self.monotonicMilliseconds = monotonicMilliseconds
        self.digest = digest
        self.retentionDays = retentionDays
        self.scans = scans
        self.advertises = advertises
        self.scanIntervalSlots = scanIntervalSlots
        self.scanWindowSlots = scanWindowSlots
        self.advertisingIntervalSlots = advertisingIntervalSlots
        self.peerCapacity = peerCapacity
        self.position = position
    }
}

extension ConfigurationEntry: EntryBody {
    func encode<Sink: ByteSink & ~Copyable>(into sink: inout Sink) throws(CapacityError) {
        try sink.append(leb128: monotonicMilliseconds)
        try sink.append(digest)
        try sink.append((scans ? 1 : 0) | (advertises ? 2 : 0))
        try sink.append(leb128: UInt32(retentionDays))
        try sink.append(leb128: UInt32(scanIntervalSlots))
        try sink.append(leb128: UInt32(scanWindowSlots))
        try sink.append(leb128: UInt32(advertisingIntervalSlots))
        try sink.append(leb128: peerCapacity)
        // What is no place is none: a later version may append something behind it.
        try sink.append(littleEndian: UInt32(bitPattern: position?.latitudeMicrodegrees ?? .max))
        try sink.append(littleEndian: UInt32(bitPattern: position?.longitudeMicrodegrees ?? .max))
    }

    init(from fields: inout FieldReader) throws(MalformedField) {
        monotonicMilliseconds = try fields.readLEB128UInt64()
        digest = try fields.readBlock()
        let roles = try fields.readUInt8()
        scans = roles & 1 != 0
        advertises = roles & 2 != 0
        retentionDays = try fields.readLEB128UInt16()
        scanIntervalSlots = try fields.readLEB128UInt16()
        scanWindowSlots = try fields.readLEB128UInt16()
        advertisingIntervalSlots = try fields.readLEB128UInt16()
        peerCapacity = try fields.readLEB128UInt32()
        guard !fields.isAtEnd else { return }  // of an earlier version
        let latitude = Int32(bitPattern: try fields.readUInt32())
        let longitude = Int32(bitPattern: try fields.readUInt32())
        position = GeographicPosition(latitudeMicrodegrees: latitude, longitudeMicrodegrees: longitude)
    }
}
