import Cryptography
import FixedMemory

/// A board's answer about its keys: its own public key in full, and the fingerprints of the other keys.
public struct BoardKeyReport: Equatable, Sendable {
    public let board: P256PublicKey
    /// The fingerprint of the owner key; nil until the board has one.
    public let ownerFingerprint: Bytes<16>?
    public let operatorFingerprint: Bytes<16>?
}

extension SyncResponse {
    public func nonce() throws(SyncResponseError) -> Bytes<16> {
        do throws(MalformedCBOR) {
            guard let nonce = try body.block("nonce", of: Bytes<16>.self) else { throw MalformedCBOR() }
            return nonce
        } catch {
            throw .malformed
        }
    }

    public func keys() throws(SyncResponseError) -> BoardKeyReport {
        do throws(MalformedCBOR) {
            guard let board = try body.block("board", of: Bytes<65>.self) else { throw MalformedCBOR() }
            return BoardKeyReport(
                board: try Self.publicKey(board), ownerFingerprint: try body.block("opening"),
                operatorFingerprint: try body.block("operator"))
        } catch {
            throw .malformed
        }
    }

    private static func publicKey(_ x963: Bytes<65>) throws(MalformedCBOR) -> P256PublicKey {
        do throws(CryptographyError) { return try P256PublicKey(x963: x963.span) } catch {
            throw MalformedCBOR()
        }
    }
}
