import EncounterLog
import FixedMemory
import Foundation
import LogContents
import TestSupport

@testable import Archive

/// An archive with the contacts of ``ContactLog``, in a file that is deleted after the test.
final class ContactArchive {
    let file = FileManager.default.temporaryDirectory.appending(path: "archive-\(UUID().uuidString)")
    let ownerKey: TestKey
    let board: SealedBoard

    init() throws {
        ownerKey = try TestKey()
        board = try SealedBoard()
    }

    deinit {
        for ending in ["", "-wal", "-shm"] {
            try? FileManager.default.removeItem(atPath: file.path + ending)
        }
    }

    func archive(sealed: Bool = true, _ entries: [LogEntry] = ContactLog.entries) throws -> Archive {
        try board.run(
            boot: ContactLog.boot, sealedFor: sealed ? ownerKey.publicHalf : nil, entries: entries)
        return try fetched()
    }

    func fetched(keys: OwnerKeys? = nil) throws -> Archive {
        let archive = try Archive(path: file.path)
        try board.fetch(into: archive)
        try archive.decodePages(of: board.identity, keys: keys ?? ownerKey.ownerKey)
        return archive
    }

    @discardableResult
    func forgetExpired(
        _ archive: Archive, _ retention: ContactRetention = ContactRetention(),
        now: WallClockTime = ContactLog.now
    ) throws -> RedactionPlan {
        let plan = try archive.redactionPlan(
            of: board.identity, keeping: retention, keys: ownerKey.ownerKey, now: now)
        try archive.redact(plan, keys: ownerKey.ownerKey)
        return plan
    }

    @discardableResult
    func forget(_ identity: Identity, _ archive: Archive) throws -> RedactionPlan {
        let plan = try archive.redactionPlan(
            of: board.identity, forgetting: identity, keys: ownerKey.ownerKey,
            now: ContactLog.now)
        try archive.redact(plan, keys: ownerKey.ownerKey)
        return plan
    }

    /// True if the bytes occur anywhere in the archive's files.
    func fileHolds(_ bytes: some Sequence<UInt8>) throws -> Bool {
        try ["", "-wal", "-shm"].contains { ending in
            guard FileManager.default.fileExists(atPath: file.path + ending) else { return false }
            return try Data(contentsOf: URL(filePath: file.path + ending)).range(of: Data(bytes)) != nil
        }
    }

    func tracks(_ archive: Archive) throws -> [UInt32: RecordedTrack] {
        let tracks = try archive.history(of: board.identity).boots.flatMap(\.tracks)
        return Dictionary(tracks.map { ($0.number, $0) }, uniquingKeysWith: { first, _ in first })
    }
}
