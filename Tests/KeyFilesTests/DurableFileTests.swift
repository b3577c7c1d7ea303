import Foundation
import KeyFiles
import Testing

@Suite final class DurableFileTests {
    private let directory = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString).path

    init() throws {
        try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(atPath: directory) }

    private var path: String { directory + "/register.json" }

    private func mode() throws -> Int {
        let attributes = try FileManager.default.attributesOfItem(atPath: path)
        return try #require(attributes[.posixPermissions] as? Int)
    }

    @Test func `A file is replaced as a whole, and is its owner's alone`() throws {
        try DurableFile.replace(path, [1, 2, 3], mode: DurableFile.privateMode)
        try DurableFile.replace(path, [4], mode: DurableFile.privateMode)
        #expect(try DurableFile.read(path, isPrivate: true) == [4])
        #expect(try mode() == 0o600)
        #expect(try FileManager.default.contentsOfDirectory(atPath: directory) == ["register.json"])
    }

    @Test func `A temporary file of a killed process with the same number is replaced`() throws {
        try DurableFile.create("\(path).\(getpid()).new", [9], mode: DurableFile.privateMode)
        try DurableFile.replace(path, [1], mode: DurableFile.publicMode)
        #expect(try DurableFile.read(path) == [1])
        #expect(try FileManager.default.contentsOfDirectory(atPath: directory) == ["register.json"])
    }

    @Test func `A file that is there is not created a second time`() throws {
        try DurableFile.create(path, [1], mode: DurableFile.privateMode)
        #expect(throws: DurableFileError.exists(path)) {
            try DurableFile.create(path, [2], mode: DurableFile.privateMode)
        }
        #expect(try DurableFile.read(path) == [1])
    }

    @Test func `A file that several may make at once is made once, and nothing is left beside it`() throws {
        try DurableFile.createWhole(path, [1], mode: DurableFile.privateMode)
        #expect(throws: DurableFileError.exists(path)) {
            try DurableFile.createWhole(path, [2], mode: DurableFile.privateMode)
        }
        #expect(try DurableFile.read(path, isPrivate: true) == [1])
        #expect(try FileManager.default.contentsOfDirectory(atPath: directory) == ["register.json"])
    }

    @Test func `Bytes are added at the end of a file`() throws {
        for byte in 1...2 as ClosedRange<UInt8> {
            try DurableFile.append(path, [byte], mode: DurableFile.privateMode)
        }
        #expect(try DurableFile.read(path, isPrivate: true) == [1, 2])
    }

    @Test func `A secret that others may read is refused`() throws {
        try DurableFile.create(path, [1], mode: DurableFile.publicMode)
        #expect(try DurableFile.read(path) == [1])
        #expect(throws: DurableFileError.tooOpen(path)) { try DurableFile.read(path, isPrivate: true) }
    }

    @Test func `A missing file, a file that is not plain, and one that is too long are errors of their own`()
        throws
    {
        #expect(throws: DurableFileError.absent(path)) { try DurableFile.read(path) }
        #expect(throws: DurableFileError.notPlain(directory)) { try DurableFile.read(directory) }
        try DurableFile.create(path, [1, 2], mode: DurableFile.privateMode)
        #expect(throws: DurableFileError.tooLong(path)) { try DurableFile.read(path, maximumByteCount: 1) }
        let nowhere = directory + "/none/register.json"
        #expect(throws: DurableFileError.self) {
            try DurableFile.replace(nowhere, [1], mode: DurableFile.privateMode)
        }
    }

    @Test func `A staged file comes to its place when it is put there, and leaves nothing where it is not`()
        throws
    {
        let staged = try StagedFile(path, [1, 2], mode: DurableFile.privateMode)
        #expect(!FileManager.default.fileExists(atPath: path))
        try staged.place()
        #expect(try DurableFile.read(path, isPrivate: true) == [1, 2])
        #expect(throws: DurableFileError.exists(path)) {
            try StagedFile(path, [3], mode: DurableFile.privateMode)
        }
        let other = directory + "/other"
        try StagedFile(other, [4], mode: DurableFile.privateMode).discard()
        let late = try StagedFile(other, [4], mode: DurableFile.privateMode)
        try DurableFile.create(other, [5], mode: DurableFile.privateMode)
        #expect(throws: DurableFileError.exists(other)) { try late.place() }
        #expect(try DurableFile.read(other) == [5])
        #expect(
            try FileManager.default.contentsOfDirectory(atPath: directory).sorted() == [
                "other", "register.json",
            ])
        let nowhere = directory + "/none/register.json"
        #expect(throws: DurableFileError.cannotWrite(nowhere, ENOENT)) {
            try StagedFile(nowhere, [1], mode: DurableFile.privateMode)
        }
    }

    @Test func `A folder is made with those above it, for its owner alone, and again without effect`() throws
    {
        let folder = directory + "/authority/keys"
        for _ in 0..<2 { try DurableFile.makeFolder(folder) }
        for path in [directory + "/authority", folder] {
            let attributes = try FileManager.default.attributesOfItem(atPath: path)
            #expect(attributes[.posixPermissions] as? Int == 0o700)
        }
        try DurableFile.create(path, [1], mode: DurableFile.privateMode)
        #expect(throws: DurableFileError.self) { try DurableFile.makeFolder(path) }
        #expect(throws: DurableFileError.self) { try DurableFile.makeFolder(path + "/below") }
    }

    @Test func `Two do not change a folder's files at one time`() throws {
        var lock: FolderLock? = try FolderLock(of: path)
        #expect(throws: DurableFileError.busy(path)) { try FolderLock(of: path) }
        try withExtendedLifetime(lock) { try #require(lock != nil) }
        lock = nil
        #expect(throws: Never.self) { try FolderLock(of: path) }
    }
}
