import Archive
import FixedMemory
import Foundation
import LogContents
import Testing

@Suite struct ManifestTests {
    @Test func `manifests are stored in order, each once`() throws {
        let file = FileManager.default.temporaryDirectory.appending(path: "archive-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: file) }
        let board = try #require(LogIdentity([UInt8](1...16)))
        let other = try #require(LogIdentity([UInt8](2...17)))
        let archive = try Archive(path: file.path)
        for board in [board, other] { try archive.register(board, blockByteCount: 4096) }
        #expect(try archive.manifests(of: board).isEmpty)

        let first = Self.manifest(9)
        let second = Self.manifest(1)
        for manifest in [first, second, first] { try archive.record(manifest, of: board) }
        try archive.record(Self.manifest(5), of: other)

        let reopened = try Archive(path: file.path, access: .existing)
        #expect(try reopened.manifests(of: board) == [first, second])
    }

    @Test func `an unknown board has no manifests`() throws {
        let board = try #require(LogIdentity([UInt8](1...16)))
        let archive = try Archive(inMemoryNamed: "test")
        #expect(try archive.manifests(of: board).isEmpty)
        #expect(throws: ArchiveError.unknownBoard(board)) {
            try archive.record(Self.manifest(1), of: board)
        }
    }

    private static func manifest(_ number: UInt8) -> StoredManifest {
        StoredManifest(
            statement: [UInt8](repeating: number, count: 85),
            signature: Bytes<64>([UInt8](repeating: number, count: 64).span) ?? Bytes(),
            boardKey: Bytes<65>([UInt8](repeating: number, count: 65).span) ?? Bytes(),
            receivedAt: 1_700_000_000_000)
    }
}
