import Cryptography
import FixedMemory

/// Group 64: copies of the secrets behind the board's identities. The board seals them for its owner and
/// signs them.
extension SyncResponder {
    /// Starts to seal and sign a record; the answer follows when that is done.
    /// - Parameter record: empty unless the state is `.sealed`.
    mutating func startBackup(
        _ record: Span<UInt8>, _ contents: BackupContents, for ownerKey: P256PublicKey?,
        boardScalar: Bytes<32>, entropy: Entropy
    ) -> SMPPacket? {
        guard let header = asked else { return nil }
        do throws(CryptographyError) {
            guard record.count <= SealedRecord.maximumByteCount, ownerKey != nil else { throw .wrongLength }
            try backup.start(
                header, contents, sealedFor: record.isEmpty ? nil : ownerKey, boardScalar: boardScalar,
                entropy: entropy)
        } catch {
            return answerRequest { _ throws(SMPRefusal) in throw .unknown }
        }
        stagedByteCount = record.isEmpty ? 0 : record.count + SealedRecord.overheadByteCount
        for index in record.indices { slice[SealedRecord.ephemeralByteCount + index] = record[index] }
        dropRequest()
        return nil
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
            let state = backup.contents.state
            try packet.answer { body throws(CapacityError) in
                try body.append(cborMap: 3)
                try body.append(key: "state", unsigned: UInt64(state.rawValue))
                try body.append(key: "sealed", bytes: slice.span.extracting(0..<stagedByteCount))
                try body.append(key: "sig", bytes: signature.span)
            }
        } catch {
            Self.write(error, into: &packet, version: header.version)
        }
        backup.cancel(&slice)
        return packet
    }
}

extension RequestBody {
    /// The scheme and the context of the copy that a client wants.
    func backup() throws(SMPRefusal) -> (scheme: UInt8, context: Bytes<32>) {
        guard let number = try unsigned("scheme"), number <= 0xFF, let bytes = try bytes("context"),
            let context = Bytes<32>(bytes)
        else { throw .invalidValue }
        return (UInt8(truncatingIfNeeded: number), context)
    }
}
