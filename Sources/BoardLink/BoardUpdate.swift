import Cryptography
import DeviceSync
import FixedMemory
import Updates

/// A file with another agent for a board, signed by its operator.
public struct BoardUpdate: Sendable {
    public let bytes: [UInt8]
    public let header: UpdateHeader

    public enum Flaw: Error {
        case tooLarge
        case nameTooLong
        case cannotSign(CryptographyError)
    }

    /// - Parameters:
    ///   - agent: the program.
    ///   - version: its version, three numbers.
    ///   - architecture: its processor, as of `uname -m`.
    ///   - isDowngrade: whether a board takes it in place of a later version.
    public init(
        agent: [UInt8], version: Bytes<3>, architecture: String, isDowngrade: Bool, signedBy key: OperatorKey
    ) throws(Flaw) {
        guard !agent.isEmpty, agent.count <= Int(UpdateHeader.largestImageByteCount) else { throw .tooLarge }
        let name = Array(architecture.utf8)
        guard let padded = Bytes<16>((name + [UInt8](repeating: 0, count: max(0, 16 - name.count))).span)
        else {
            throw .nameTooLong
        }
        header = UpdateHeader(
            version: version, isDowngrade: isDowngrade, architecture: padded,
            imageByteCount: UInt32(agent.count), imageDigest: SHA256.digest(of: agent.span))
        let signature: Bytes<64>
        do throws(CryptographyError) { signature = try key.signature(of: header.digest) } catch {
            throw .cannotSign(error)
        }
        let start = header.signedBytes
        bytes = [UInt8](copying: start.span) + [UInt8](copying: signature.span) + agent
    }
}

extension BoardClient {
    private static var largestRepetitions: Int { 100 }

    /// Sends an update. If the board refuses it, ``refusalReason`` holds its reason. Pieces
    /// that the board has of the same file are not sent again.
    /// - Parameter progress: receives the number of bytes that the board has; returning false stops.
    /// - Returns: whether the board has all of it, and its agent now ends for it.
    public func send(_ update: BoardUpdate, progress: (Int) -> Bool) throws(LinkError) -> Bool {
        let bytes = update.bytes
        let digest = SHA256.digest(of: bytes.span)
        var offset = try command("update") { sequence throws(CapacityError) in
            try SyncRequest.expectUpdate(
                byteCount: UInt32(bytes.count), digest: digest, sequence: sequence)
        } reading: { response throws(SyncResponseError) in
            Int(try response.updateOffset())
        }
        var repetitions = 0
        while progress(min(offset, bytes.count)) {
            // A sound board asks for the next piece, and for an earlier one only if pieces were lost.
            guard offset < bytes.count, repetitions < Self.largestRepetitions else {
                throw .noAnswer(port: channel.name, request: "update")
            }
            let piece = Array(bytes[offset..<min(offset + SyncRequest.largestUpdatePiece, bytes.count)])
            let start = UInt32(offset)
            let answer = try ask("update") { sequence throws(CapacityError) in
                try SyncRequest.updatePiece(piece.span, offset: start, sequence: sequence)
            } reading: { response throws(SyncResponseError) in
                (Int(try response.updateOffset()), try response.restarts())
            }
            if answer.1 {
                _ = progress(bytes.count)
                return true
            }
            repetitions += answer.0 > offset ? 0 : 1
            offset = answer.0
        }
        return false
    }
}
