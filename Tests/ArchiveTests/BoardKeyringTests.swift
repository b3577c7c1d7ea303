import Archive
import FixedMemory
import Foundation
import LogContents
import Testing

@Suite struct BoardKeyringTests {
    @Test func `the latest keys of a board are stored`() throws {
        let file = FileManager.default.temporaryDirectory.appending(path: "archive-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: file) }
        let board = try #require(LogIdentity([UInt8](1...16)))
        let archive = try Archive(path: file.path)
        try archive.register(board, blockByteCount: 4096)
        #expect(try archive.keys(of: board) == nil)
        let key = Bytes<65>([UInt8](repeating: 4, count: 65).span) ?? Bytes()
        let operatorKey = Bytes<16>([UInt8](1...16).span) ?? Bytes()
        for keys in [
            BoardKeyring(publicKey: key, ownerFingerprint: nil, operatorFingerprint: nil),
            BoardKeyring(publicKey: key, ownerFingerprint: operatorKey, operatorFingerprint: operatorKey),
        ] {
            try archive.record(
                StoredBoardKey(keys, isVouched: true, shownAt: 7), of: board)
            #expect(try archive.keys(of: board) == keys)
        }
        #expect(try archive.keyHistory(of: board).count == 1)
    }

    @Test func `earlier keys are kept, and an unvouched key is not current`() throws {
        let board = try #require(LogIdentity([UInt8](1...16)))
        let archive = try Archive(inMemoryNamed: "test")
        try archive.register(board, blockByteCount: 4096)
        let keys = (1...3 as ClosedRange<UInt8>).map(Self.key)
        let (first, second, third) = (keys[0], keys[1], keys[2])
        for (key, isVouched) in [
            (first, true), (second, false), (second, false), (first, true), (third, false), (second, true),
            (first, false),
        ] {
            try archive.record(
                StoredBoardKey(key, isVouched: isVouched, shownAt: 7), of: board)
        }
        #expect(try archive.keys(of: board) == second)
        let history = try archive.keyHistory(of: board)
        #expect(history.map(\.keyring) == [first, third, second])
        #expect(history.map(\.isVouched) == [true, false, true])
    }

    private static func key(_ number: UInt8) -> BoardKeyring {
        BoardKeyring(
            publicKey: Bytes<65>([UInt8](repeating: number, count: 65).span) ?? Bytes(),
            ownerFingerprint: nil, operatorFingerprint: nil)
    }
}
