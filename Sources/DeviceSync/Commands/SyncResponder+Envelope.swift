import Cryptography
import FixedMemory

/// Who may change what: on a board with an operator key, who signs.
extension SyncResponder {
    /// From outside of an envelope. Keys that are told again, for want of an answer, are as they were.
    func checkRight<Store: SyncStore & ~Copyable>(
        to header: SMPHeader, _ body: RequestBody, store: inout Store
    ) throws(SMPRefusal) {
        guard header.needsSignature, let keys = store.publicKeys, keys.operating != nil else { return }
        guard header.address == .keys, try Self.newKeys(body, instead: keys) == keys else {
            throw .accessDenied
        }
    }

    mutating func openEnvelope<Store: SyncStore & ~Copyable>(
        _ header: SMPHeader, _ body: RequestBody, store: inout Store
    ) throws(SMPRefusal) {
        guard let key = store.publicKeys?.operating else { throw .notProvisioned }
        try envelope.start(header, body, operatorKey: key, logIdentity: store.status.logIdentity)
    }

    /// A slice; the command in the envelope and its answer when the signature is found right.
    mutating func stepEnvelope<Store: SyncStore & ~Copyable>(store: inout Store) -> SMPPacket? {
        let header = envelope.header
        var packet = SMPPacket(header.response, limit: packetByteCount)
        do throws(SMPRefusal) {
            guard try envelope.step() else { return nil }
            let request = envelope.request
            try writeAnswer(signed: request, for: header, into: &packet, store: &store)
        } catch {
            Self.write(error, into: &packet, version: header.version)
        }
        return asked == nil ? packet : nil
    }

    private mutating func writeAnswer<Store: SyncStore & ~Copyable>(
        signed request: FixedBuffer<2048>, for header: SMPHeader, into packet: inout SMPPacket,
        store: inout Store
    ) throws(SMPRefusal) {
        var reader = ByteReader(request.span)
        let command: SMPHeader
        do throws(MalformedPacket) { command = try SMPHeader(&reader) } catch { throw .invalidValue }
        guard command.operation == .write, Int(command.bodyByteCount) == reader.remainingCount else {
            throw .invalidValue
        }
        try writeAnswer(
            command, RequestBody(reader.readRest()), for: header, into: &packet, store: &store)
    }
}
