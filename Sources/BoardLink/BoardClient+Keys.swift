import Cryptography
import DeviceSync
import FixedMemory

/// Keys, and the envelope of commands that change something.
extension BoardClient {
    public func keys() throws(LinkError) -> BoardKeyReport {
        try ask("keys") {
            SyncRequest.keys(sequence: $0)
        } reading: {
            response throws(SyncResponseError) in
            try response.keys()
        }
    }

    /// Gives the board new public halves; of those that are nil it keeps what it has. A board that has an operator key
    /// takes them only from who has that key.
    public func setKeys(opening: P256PublicKey?, operating: P256PublicKey?) throws(LinkError)
        -> BoardKeyReport
    {
        try command("new keys") { sequence throws(CapacityError) in
            try SyncRequest.setKeys(opening: opening, operating: operating, sequence: sequence)
        } reading: { response throws(SyncResponseError) in
            try response.keys()
        }
    }

    /// Asks for something that changes the board: signed, where we have a key and the board wants it so.
    func command<Answer>(
        _ name: String, _ request: (_ sequence: UInt8) throws(CapacityError) -> SMPPacket,
        reading: (borrowing SyncResponse) throws(SyncResponseError) -> Answer
    ) throws(LinkError) -> Answer {
        guard let operatorKey, try wantsSignatures() else { return try ask(name, request, reading: reading) }
        let logIdentity = try status().logIdentity
        let inner = try packet(name, request)
        // An envelope whose answer was lost has used its nonce up. What it held may be asked for again.
        for _ in 0..<patience.attemptCount {
            let nonce = try nonce()
            let signature: Bytes<64>
            do throws(CryptographyError) {
                signature = try operatorKey.signature(of: inner, nonce: nonce, logIdentity: logIdentity)
            } catch {
                throw .cannotSign(request: name)
            }
            do throws(LinkError) {
                return try ask(name) { sequence throws(CapacityError) in
                    try SyncRequest.signed(inner, signature: signature, sequence: sequence)
                } reading: { response throws(SyncResponseError) in
                    try reading(response)
                }
            } catch {
                guard case .refused(_, .nonceUnknown) = error else { throw error }
            }
        }
        throw .noAnswer(port: channel.name, request: name)
    }

    /// Whether the board has an operator key. One of an earlier version has no keys at all.
    private func wantsSignatures() throws(LinkError) -> Bool {
        do throws(LinkError) {
            return try keys().operatorFingerprint != nil
        } catch {
            guard case .refused = error else { throw error }
            return false
        }
    }

    private func nonce() throws(LinkError) -> Bytes<16> {
        try ask("nonce") {
            SyncRequest.nonce(sequence: $0)
        } reading: {
            response throws(SyncResponseError) in
            try response.nonce()
        }
    }

    private func packet(
        _ name: String, _ request: (_ sequence: UInt8) throws(CapacityError) -> SMPPacket
    ) throws(LinkError) -> SMPPacket {
        do throws(CapacityError) { return try request(0) } catch {
            throw .noAnswer(port: channel.name, request: "\(name) (too long to send)")
        }
    }
}
