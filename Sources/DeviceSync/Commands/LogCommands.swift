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
