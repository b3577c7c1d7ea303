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

    @Test func `What one of our number left behind when it was killed is in nobody's way`() throws {
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

    @Test func `A secret that others may read is refused`() throws {
        try DurableFile.create(path, [1], mode: DurableFile.publicMode)
        #expect(try DurableFile.read(path) == [1])
        #expect(throws: DurableFileError.tooOpen(path)) { try DurableFile.read(path, isPrivate: true) }
    }

    @Test func `What is not there, no plain file, or too long is said`() throws {
        #expect(throws: DurableFileError.absent(path)) { try DurableFile.read(path) }
        #expect(throws: DurableFileError.notPlain(directory)) { try DurableFile.read(directory) }
        try DurableFile.create(path, [1, 2], mode: DurableFile.privateMode)
        #expect(throws: DurableFileError.tooLong(path)) { try DurableFile.read(path, maximumByteCount: 1) }
        let nowhere = directory + "/none/register.json"
        #expect(throws: DurableFileError.self) {
            try DurableFile.replace(nowhere, [1], mode: DurableFile.privateMode)
        }
    }

    @Test func `Two do not change a folder's files at one time`() throws {
        var lock: FolderLock? = try FolderLock(of: path)
        #expect(throws: DurableFileError.busy(path)) { try FolderLock(of: path) }
        try withExtendedLifetime(lock) { try #require(lock != nil) }
        lock = nil
        #expect(throws: Never.self) { try FolderLock(of: path) }
    }
}
