import Cryptography
import DeviceSync
import FixedMemory

/// Board keys, and the signed envelope of commands that change the board.
extension BoardClient {
    public func keys() throws(LinkError) -> BoardKeyReport {
        try ask("keys") {
            SyncRequest.keys(sequence: $0)
        } reading: {
            response throws(SyncResponseError) in
            try response.keys()
        }
    }

    /// Sets the board's public keys; it keeps the present key where an argument is nil. If the board has an
    /// operator key, the command must be signed with it.
    public func setKeys(ownerKey: P256PublicKey?, operatorKey: P256PublicKey?) throws(LinkError)
        -> BoardKeyReport
    {
        try command("new keys") { sequence throws(CapacityError) in
            try SyncRequest.setKeys(ownerKey: ownerKey, operatorKey: operatorKey, sequence: sequence)
        } reading: { response throws(SyncResponseError) in
            try response.keys()
        }
    }

    /// Sends a command that changes the board; signs it if a key is available and the board requires
    /// signatures.
    ///
    /// - Parameter prepare: Called before the command is made that is to be signed, after its nonce came.
    func command<Answer>(
        _ name: String, prepare: () throws(LinkError) -> Void = { () throws(LinkError) in },
        _ request: (_ sequence: UInt8) throws(CapacityError) -> SMPPacket,
        reading: (borrowing SyncResponse) throws(SyncResponseError) -> Answer
    ) throws(LinkError) -> Answer {
        guard let operatorKey, try wantsSignatures() else { return try ask(name, request, reading: reading) }
        let logIdentity = try status().logIdentity
        // An envelope uses up its nonce even if the answer is lost. The command inside may be repeated with a
        // new nonce.
        for _ in 0..<patience.attemptCount {
            let nonce = try nonce()
            try prepare()
            let inner = try packet(name, request)
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

    /// True if the board has an operator key. A board of an earlier version has no keys.
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
