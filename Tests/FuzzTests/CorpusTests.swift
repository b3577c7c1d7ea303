import Foundation
import FuzzTargets
import Testing

/// Runs every input of the committed corpora as a regression test, so the starting point of `make fuzz` is
/// always checked.
@Suite struct CorpusTests {
    private static let corpora = URL(filePath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent()
        .appending(path: "Fuzz").appending(path: "Corpora")

    @Test(arguments: FuzzTarget.allCases)
    func `every input of the corpus passes`(_ target: FuzzTarget) throws {
        let folder = Self.corpora.appending(path: target.rawValue)
        let files = try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
        #expect(!files.isEmpty)
        for file in files {
            let input = try [UInt8](Data(contentsOf: file))
            #expect(throws: Never.self, "\(target.rawValue)/\(file.lastPathComponent)") {
                try target.run(input)
            }
        }
    }

    @Test(arguments: FuzzTarget.allCases)
    func `an empty input passes`(_ target: FuzzTarget) {
        #expect(throws: Never.self) { try target.run([]) }
        #expect(throws: Never.self) { try target.run([0]) }
        #expect(throws: Never.self) { try target.run(Array(repeating: 0xff, count: 600)) }
    }

    @Test func `every corpus has a target`() throws {
        let folders = try FileManager.default.contentsOfDirectory(
            atPath: Self.corpora.path(percentEncoded: false))
        #expect(Set(folders) == Set(FuzzTarget.allCases.map(\.rawValue)))
    }
}
