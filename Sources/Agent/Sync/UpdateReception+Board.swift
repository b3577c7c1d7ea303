import Cryptography
import FixedMemory
import Updates

/// Stores the pieces of an update on the board.
extension UpdateReception {
    /// Prepares for an update file. If the sending of the same file was interrupted, its pieces are kept.
    /// - Returns: where its next piece belongs.
    mutating func expect<Board: UpdatableBoard>(
        byteCount: UInt32, digest: Bytes<32>, on board: inout Board
    ) throws(UpdateRefusal) -> UInt32 {
        guard board.updateSlot != nil else { throw .notLaunched }
        guard !board.isOnTrial else { throw .onTrial }
        let largest = UpdateHeader.largestImageByteCount + UInt32(UpdateHeader.byteCount)
        guard byteCount > UInt32(UpdateHeader.byteCount), byteCount <= largest else { throw .wrongLength }
        if let offset = offset(ofByteCount: byteCount, digest: digest) { return offset }
        guard board.beginUpdate() else { throw .notStored }
        begin(byteCount: byteCount, digest: digest)
        return 0
    }

    /// Stores a piece of the announced file. A piece for another place changes nothing.
    /// - Parameter present: the version of the agent that runs.
    mutating func store<Board: UpdatableBoard>(
        _ piece: Span<UInt8>, at offset: UInt32, over present: Bytes<3>, on board: inout Board
    ) throws(UpdateRefusal) {
        switch judge(piece, at: offset) {
        case .notAnnounced: throw .notAnnounced
        case .skip: return
        case .tooLong:
            forget()
            throw .wrongLength
        case .take: break
        }
        if offset == 0 { try check(piece, over: present, on: board) }
        guard board.append(update: piece) else {
            forget()
            throw .notStored
        }
        take(piece)
    }

    /// Checks the header, which is in the first piece. Its signature is the launcher's matter: the operator
    /// has signed the announcement.
    private mutating func check<Board: UpdatableBoard>(
        _ start: Span<UInt8>, over present: Bytes<3>, on board: borrowing Board
    ) throws(UpdateRefusal) {
        guard let header = UpdateHeader(start) else { throw .unknownFormat }
        guard UInt32(UpdateHeader.byteCount) + header.imageByteCount == byteCount else { throw .wrongLength }
        guard header.architecture == board.architecture else { throw .otherArchitecture }
        guard header.isDowngrade || !header.isOlder(than: present) else { throw .older }
        version = header.version
    }

    /// Makes the complete file the one that the launcher starts next.
    mutating func finish<Board: UpdatableBoard>(
        signedBy operatorKey: P256PublicKey?, on board: inout Board
    ) throws(UpdateRefusal) {
        let version = version
        guard takeVerdict() else { throw .notAnnounced }
        // Without an operator key the announcement would have been refused.
        guard let operatorKey, board.finishUpdate(version: version, operatorKey: operatorKey.x963) else {
            throw .notStored
        }
    }
}
