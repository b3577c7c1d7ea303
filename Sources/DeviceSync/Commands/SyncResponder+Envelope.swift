import Cryptography
import FixedMemory

/// Authorisation: on a board with an operator key, changes must be signed.
extension SyncResponder {
    /// Checks whether a request outside an envelope is allowed. It may set the keys that the board already
    /// has, because a client repeats a request if its answer was lost.
    func checkRight<Store: SyncStore & ~Copyable>(
        to header: SMPHeader, _ body: RequestBody, store: inout Store
    ) throws(SMPRefusal) {
        guard header.needsSignature, let keys = store.publicKeys, keys.operatorKey != nil else { return }
        guard header.address == .keys, try body.keys(instead: keys) == keys else {
            throw .accessDenied
        }
    }

    mutating func openEnvelope<Store: SyncStore & ~Copyable>(
        _ header: SMPHeader, _ body: RequestBody, store: inout Store
    ) throws(SMPRefusal) {
        guard let key = store.publicKeys?.operatorKey else { throw .notProvisioned }
        try envelope.start(
            header, body, operatorKey: key, logIdentity: store.status.logIdentity, now: store.now)
    }

    /// Verifies one slice of the signature; once it is valid, runs the command in the envelope and returns
    /// its answer.
    mutating func stepEnvelope<Store: SyncStore & ~Copyable>(
        store: inout Store, log: inout Store.Log
    ) -> SMPPacket? {
        let header = envelope.header
        var packet = SMPPacket(header.response, limit: packetByteCount)
        do throws(SMPRefusal) {
            guard try envelope.step() else { return nil }
            let request = envelope.request
            try writeAnswer(signed: request, for: header, into: &packet, store: &store, log: &log)
        } catch {
            Self.write(error, into: &packet, version: header.version)
        }
        return asked == nil ? packet : nil
    }

    private mutating func writeAnswer<Store: SyncStore & ~Copyable>(
        signed request: FixedBuffer<2048>, for header: SMPHeader, into packet: inout SMPPacket,
        store: inout Store, log: inout Store.Log
    ) throws(SMPRefusal) {
        var reader = ByteReader(request.span)
        let command: SMPHeader
        do throws(MalformedPacket) { command = try SMPHeader(&reader) } catch { throw .invalidValue }
        guard command.operation == .write, Int(command.bodyByteCount) == reader.remainingCount else {
            throw .invalidValue
        }
        try writeAnswer(
            command, RequestBody(reader.readRest()), for: header, into: &packet, store: &store, log: &log,
            notBefore: envelope.nonceInstant)
    }
}
