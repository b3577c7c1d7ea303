import Archive
import FixedMemory
import Foundation
import Testing

@Suite struct BoardKeyringTests {
    @Test func whatABoardSaidLastIsKept() throws {
        let file = FileManager.default.temporaryDirectory.appending(path: "archive-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: file) }
        let board = try #require(LogIdentity([UInt8](1...16)))
        let archive = try Archive(path: file.path)
        try archive.register(board, blockByteCount: 4096)
        #expect(try archive.keys(of: board) == nil)
        let key = Bytes<65>([UInt8](repeating: 4, count: 65).span) ?? Bytes()
        let operating = Bytes<16>([UInt8](1...16).span) ?? Bytes()
        for keys in [
            BoardKeyring(publicKey: key, openingFingerprint: nil, operatorFingerprint: nil),
            BoardKeyring(publicKey: key, openingFingerprint: operating, operatorFingerprint: operating),
        ] {
            try archive.record(keys, of: board)
            #expect(try archive.keys(of: board) == keys)
        }
    }
}
