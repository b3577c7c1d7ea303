import FixedMemory

/// A request to erase segments, oldest first. Only whole segments are erased, and never the newest one.
public struct ErasureRequest: BitwiseCopyable, Equatable, Sendable {
    /// The board erases segments before this ordinal.
    public var firstKeptOrdinal: UInt32
    /// Whether the board also erases segments that no client has acknowledged as safely stored elsewhere.
    public var isForced: Bool

    public init(firstKeptOrdinal: UInt32, isForced: Bool = false) {
        self.firstKeptOrdinal = firstKeptOrdinal
        self.isForced = isForced
    }
}

/// Group 64: signed statements about the log, acknowledgements, and erasure.
extension SyncResponder {
    func manifestNonce(_ body: RequestBody) throws(SMPRefusal) -> Bytes<16> {
        guard let bytes = try body.bytes("nonce"), let nonce = Bytes<16>(bytes) else { throw .invalidValue }
        return nonce
    }

    func position(_ body: RequestBody) throws(SMPRefusal) -> SyncPosition {
        SyncPosition(
            segmentOrdinal: try count("segment", body), byteOffset: try count("offset", body))
    }

    func erasure(_ body: RequestBody) throws(SMPRefusal) -> ErasureRequest {
        ErasureRequest(
            firstKeptOrdinal: try count("segment", body), isForced: try body.unsigned("force") == 1)
    }

    private func count(_ key: StaticString, _ body: RequestBody) throws(SMPRefusal) -> UInt32 {
        guard let value = try body.unsigned(key), value <= 0xFFFF_FFFF else { throw .invalidValue }
        return UInt32(truncatingIfNeeded: value)
    }

    /// Signs one slice; returns the manifest after the last one.
    mutating func stepManifest() -> SMPPacket? {
        let header = manifest.header
        var packet = SMPPacket(header.response, limit: packetByteCount)
        do throws(SMPRefusal) {
            guard let signature = try manifest.step() else { return nil }
            let statement = manifest.statement
            try packet.answer { body throws(CapacityError) in
                try body.append(cborMap: 2)
                try body.append(key: "statement", bytes: statement.span)
                try body.append(key: "sig", bytes: signature.span)
            }
        } catch {
            Self.write(error, into: &packet, version: header.version)
        }
        return packet
    }
}
