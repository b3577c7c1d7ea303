import Archive
import Cryptography
import DeviceSync
import EncounterLog
import FixedMemory
import FlashSimulator
import Foundation
import LogContents

/// A board of a sample archive, with its log on a flash chip in memory and a key.
struct SampleBoard {
    let name: String
    let chip: BenchFlash.Chip
    let identity: Bytes<16>
    private let number: Int

    /// - Parameters:
    ///   - number: gives the log identity and the key.
    ///   - byteCount: the length of the log, at most.
    init(_ number: Int, named name: String, byteCount: Int) throws {
        guard let geometry = FlashGeometry(fitting: byteCount + 4 << 20) else {
            throw SampleArchiveError.logTooLarge(byteCount: byteCount)
        }
        self.name = name
        self.number = number
        chip = BenchFlash.Chip(geometry)
        var random = RandomStream(seed: UInt64(number)).split("log identity")
        identity = random.bytes()
    }

    /// Stores the log as a fetch does.
    func store(
        _ log: inout EncounterLog<BenchFlash>, fetchedAt now: WallClockTime, in archive: Archive
    ) throws {
        let segments = try FetchedSegment.all(of: &log)
        guard let board = LogIdentity([UInt8](copying: identity.span)) else { return }
        let text = Array("key of board \(number)".utf8)
        var key = try P256PrivateKey(scalar: SHA256.digest(of: text.span), entropy: .system)
        try archive.register(
            board, blockByteCount: chip.geometry.blockByteCount,
            unitByteCount: chip.geometry.unitByteCount, name: name)
        try archive.record(
            StoredBoardKey(
                BoardKeyring(
                    publicKey: key.publicKey.x963, ownerFingerprint: nil, operatorFingerprint: nil),
                isVouched: true, shownAt: now), of: board)
        for segment in segments {
            for offset in stride(from: 0, to: segment.bytes.count, by: 1 << 16) {
                let end = min(offset + 1 << 16, segment.bytes.count)
                try archive.append(
                    Array(segment.bytes[offset..<end]), at: offset, segment: segment.ordinal, of: board)
            }
            if segment.isComplete {
                try archive.markComplete(segment: segment.ordinal, of: board, isVerified: true)
            }
        }
        var statement = LogStatement()
        statement.logIdentity = identity
        statement.head = SyncPosition(
            segmentOrdinal: log.head.position.segmentOrdinal, byteOffset: log.head.position.byteOffset)
        statement.chainValue = log.head.chainValue
        let bytes = [UInt8](copying: statement.encoded.span)
        try archive.record(
            StoredManifest(
                statement: bytes,
                signature: try key.sign(digest: LogStatement.digest(of: bytes.span), entropy: .system),
                boardKey: key.publicKey.x963, receivedAt: now), of: board)
    }
}

enum SampleArchiveError: Error { case logTooLarge(byteCount: Int) }
