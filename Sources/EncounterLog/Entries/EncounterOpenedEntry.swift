import FixedMemory

/// An encounter began: the agent received a peer of interest, which may not have identified itself yet.
public struct EncounterOpenedEntry: Equatable, BitwiseCopyable, Sendable {
    /// Counts up from 1 within a boot; (boot, encounter) is unique in a log.
    public var encounter: UInt32
    /// When the peer was first received.
    public var instant: Instant
    /// Least significant byte first, as on the air.
    public var address: Bytes<6>
    /// As in an advertising report: 0 public, 1 random (Bluetooth Core 5.4, Vol 4, Part E, 7.7.65.2).
    public var addressType: UInt8
    public var foundBy: PeerHint

    public init(
        encounter: UInt32, instant: Instant, address: Bytes<6>, addressType: UInt8, foundBy: PeerHint
    ) {
        self.encounter = encounter
        self.instant = instant
        self.address = address
        self.addressType = addressType
        self.foundBy = foundBy
    }
}

extension EncounterOpenedEntry: EntryBody {
    func encode<Sink: ByteSink & ~Copyable>(into sink: inout Sink) throws(CapacityError) {
        try sink.append(leb128: encounter)
        try sink.append(leb128: instant)
        try sink.append(address)
        try sink.append(addressType)
        try sink.append(foundBy.rawValue)
    }

    init(from fields: inout FieldReader) throws(MalformedField) {
        encounter = try fields.readLEB128UInt32()
        instant = try fields.readInstant()
        address = try fields.readBlock()
        addressType = try fields.readUInt8()
        foundBy = PeerHint(rawValue: try fields.readUInt8())
    }
}
