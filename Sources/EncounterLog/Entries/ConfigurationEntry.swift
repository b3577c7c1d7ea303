import FixedMemory

/// The effective configuration from now on: the settings needed to interpret the log, and a digest of all
/// settings. The settings that shape encounters are in the boot entry.
public struct ConfigurationEntry: Equatable, BitwiseCopyable, Sendable {
    public var instant: Instant
    /// The first 16 bytes of the SHA-256 of the output of `tabard config`.
    public var digest: Bytes<16>
    /// Age in days at which segments are erased; 0 if age erases nothing.
    public var retentionDays: UInt16
    public var scans: Bool
    public var advertises: Bool
    /// In slots of 0.625 ms, as are the next two.
    public var scanIntervalSlots: UInt16
    public var scanWindowSlots: UInt16
    public var advertisingIntervalSlots: UInt16
    /// The capacity of the peer table.
    public var peerCapacity: UInt32
    /// The beacon's location, if the configuration gives it.
    public var position: GeographicPosition?

    public init(
        instant: Instant, digest: Bytes<16>, retentionDays: UInt16, scans: Bool,
        advertises: Bool, scanIntervalSlots: UInt16, scanWindowSlots: UInt16,
        advertisingIntervalSlots: UInt16, peerCapacity: UInt32, position: GeographicPosition? = nil
    ) {
        self.instant = instant
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
        try sink.append(leb128: instant)
        try sink.append(digest)
        try sink.append((scans ? 1 : 0) | (advertises ? 2 : 0))
        try sink.append(leb128: UInt32(retentionDays))
        try sink.append(leb128: UInt32(scanIntervalSlots))
        try sink.append(leb128: UInt32(scanWindowSlots))
        try sink.append(leb128: UInt32(advertisingIntervalSlots))
        try sink.append(leb128: peerCapacity)
        // Both numbers are always written, out of range without a position, so that a later version can
        // append fields.
        try sink.append(littleEndian: UInt32(bitPattern: position?.latitudeMicrodegrees ?? .max))
        try sink.append(littleEndian: UInt32(bitPattern: position?.longitudeMicrodegrees ?? .max))
    }

    init(from fields: inout FieldReader) throws(MalformedField) {
        instant = try fields.readInstant()
        digest = try fields.readBlock()
        let roles = try fields.readUInt8()
        scans = roles & 1 != 0
        advertises = roles & 2 != 0
        retentionDays = try fields.readLEB128UInt16()
        scanIntervalSlots = try fields.readLEB128UInt16()
        scanWindowSlots = try fields.readLEB128UInt16()
        advertisingIntervalSlots = try fields.readLEB128UInt16()
        peerCapacity = try fields.readLEB128UInt32()
        guard !fields.isAtEnd else { return }  // written by a version without positions
        let latitude = Int32(bitPattern: try fields.readUInt32())
        let longitude = Int32(bitPattern: try fields.readUInt32())
        position = GeographicPosition(latitudeMicrodegrees: latitude, longitudeMicrodegrees: longitude)
    }
}
