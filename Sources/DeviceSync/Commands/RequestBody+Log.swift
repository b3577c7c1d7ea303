import FixedMemory

/// The fields of requests about the log.
extension RequestBody {
    func manifestNonce() throws(SMPRefusal) -> Bytes<16> {
        guard let bytes = try bytes("nonce"), let nonce = Bytes<16>(bytes) else { throw .invalidValue }
        return nonce
    }

    func position() throws(SMPRefusal) -> SyncPosition {
        SyncPosition(
            segmentOrdinal: try count("segment"), byteOffset: try count("offset"))
    }

    func erasure() throws(SMPRefusal) -> ErasureRequest {
        ErasureRequest(
            firstKeptOrdinal: try count("segment"), isForced: try unsigned("force") == 1)
    }

    private func count(_ key: StaticString) throws(SMPRefusal) -> UInt32 {
        guard let value = try unsigned(key), value <= 0xFFFF_FFFF else { throw .invalidValue }
        return UInt32(truncatingIfNeeded: value)
    }
}
