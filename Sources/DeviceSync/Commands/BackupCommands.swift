import Cryptography
import FixedMemory

/// Group 64: copies of the secrets behind the board's identities. The board seals them for its owner and
/// signs them.
extension SyncResponder {
    /// Starts to seal and sign a record; the answer follows when that is done.
    /// - Parameter record: empty if the board has no secrets of the scheme.
    mutating func startBackup(
        _ record: Span<UInt8>, _ contents: BackupContents, for ownerKey: P256PublicKey?,
        boardScalar: Bytes<32>, entropy: Entropy
    ) -> SMPPacket? {
        guard let header = asked else { return nil }
        stagedByteCount = record.isEmpty ? 0 : record.count + SealedRecord.overheadByteCount
        do throws(CryptographyError) {
            guard record.count <= SealedRecord.maximumByteCount, ownerKey != nil else { throw .wrongLength }
            for index in record.indices { slice[SealedRecord.ephemeralByteCount + index] = record[index] }
            try backup.start(
                header, contents, sealedFor: record.isEmpty ? nil : ownerKey, boardScalar: boardScalar,
                entropy: entropy)
            dropRequest()
            return nil
        } catch {
            return answerRequest { _ throws(SMPRefusal) in throw .unknown }
        }
    }

    /// Computes one slice; returns the answer after the last one.
    mutating func stepBackup<Store: SyncStore & ~Copyable>(store: inout Store) -> SMPPacket? {
        let header = backup.header
        var packet = SMPPacket(header.response, limit: packetByteCount)
        do throws(SMPRefusal) {
            var room = slice.mutableSpan
            var sealed = room.extracting(0..<stagedByteCount)
            guard let signature = try backup.step(&sealed, logIdentity: store.status.logIdentity) else {
                return nil
            }
            try packet.answer { body throws(CapacityError) in
                try body.append(cborMap: 2)
                try body.append(key: "sealed", bytes: slice.span.extracting(0..<stagedByteCount))
                try body.append(key: "sig", bytes: signature.span)
            }
        } catch {
            Self.write(error, into: &packet, version: header.version)
        }
        backup.cancel()
        return packet
    }
}

extension RequestBody {
    /// The number of a scheme, or 0.
    func scheme() throws(SMPRefusal) -> UInt8 {
        guard let number = try unsigned("scheme"), number <= 0xFF else { throw .invalidValue }
        return UInt8(truncatingIfNeeded: number)
    }
}
