import Configuration
import Cryptography
import FixedMemory
import Foundation
import Schemes
import TestSupport
import Testing

@testable import LinuxPlatform

/// Tests of the secrets that a board keeps in files and of those that it erases.
@Suite final class SecretFilesTests {
    private static let today: UInt32 = 20_779
    private let directory: URL
    private let files: SecretFiles

    init() throws {
        let directory = FileManager.default.temporaryDirectory.appending(path: "tabard-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        func path(_ name: String) -> FixedText<256> {
            let bytes = Array(directory.appending(path: name).path.utf8)
            return FixedText(bytes.span) ?? FixedText()
        }
        files = SecretFiles(
            herald: path("herald"), covidTracer: path("covid-tracer"), sonar: path("sonar"))
        self.directory = directory
    }

    deinit { try? FileManager.default.removeItem(at: directory) }

    private func contents(_ name: String) throws -> [UInt8] {
        [UInt8](try Data(contentsOf: directory.appending(path: name)))
    }

    private func write(_ bytes: [UInt8], to name: String, mode: Int = 0o600) throws {
        let url = directory.appending(path: name)
        try Data(bytes).write(to: url)
        try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: url.path)
    }

    private func keys(from day: UInt32, count: Int, root: UInt8 = 1) throws -> DayKeys {
        let root = CovidTracerRootKey(Bytes([UInt8](repeating: root, count: 32).span) ?? Bytes())
        var job = DayKeysJob(root, firstDay: day, dayCount: count)
        let keys = job.advance(hashLimit: .max)
        return try #require(keys)
    }

    private func isIn(_ name: String, _ key: Bytes<32>?) throws -> Bool {
        let (file, key) = (try contents(name), try #require(key))
        return Data(file).range(of: Data((0..<32).map { key[$0] })) != nil
    }

    @Test func `a day's key is gone from the file when the next day's is asked for`() throws {
        let keys = try keys(from: Self.today, count: 3)
        #expect(files.store(keys))
        let mode =
            try FileManager.default.attributesOfItem(
                atPath: directory.appending(path: "covid-tracer").path)[.posixPermissions] as? Int
        #expect(mode == 0o600)
        let first = try #require(files.dayKey(of: .covidTracer, on: Self.today, erasingBefore: Self.today))
        #expect(first.key == keys.key(of: Self.today))
        #expect(first.dayCount == 3)
        #expect(try isIn("covid-tracer", keys.key(of: Self.today)))
        let second = try #require(
            files.dayKey(of: .covidTracer, on: Self.today + 1, erasingBefore: Self.today + 1))
        #expect(second.key == keys.key(of: Self.today + 1))
        #expect(second.dayCount == 2)
        #expect(try !isIn("covid-tracer", keys.key(of: Self.today)))
        #expect(try isIn("covid-tracer", keys.key(of: Self.today + 2)))
        // Yesterday's key has been erased.
        let back = try #require(files.dayKey(of: .covidTracer, on: Self.today, erasingBefore: Self.today))
        #expect(back.key == nil)
        #expect(back.nextDay == Self.today + 1)
        let over = try #require(
            files.dayKey(of: .covidTracer, on: Self.today + 3, erasingBefore: Self.today + 3))
        #expect(over == DayKeyOffer())
        #expect(try contents("covid-tracer").count == 21)
    }

    @Test func `what the file held before is overwritten on the medium`() throws {
        #expect(files.store(try keys(from: Self.today, count: 3)))
        let old = try FileHandle(forReadingFrom: directory.appending(path: "covid-tracer"))
        _ = files.dayKey(of: .covidTracer, on: Self.today + 1, erasingBefore: Self.today + 1)
        let remains = [UInt8](try #require(try old.readToEnd()))
        #expect(remains == [UInt8](repeating: 0, count: 21 + 96))
    }

    @Test func `former keys that a power cut left are overwritten at the next look`() throws {
        #expect(files.store(try keys(from: Self.today, count: 3)))
        let former = directory.appending(path: "covid-tracer.former")
        try FileManager.default.linkItem(at: directory.appending(path: "covid-tracer"), to: former)
        // Before the rename both names are of the present file, which stays.
        let present = try #require(
            files.dayKey(of: .covidTracer, on: Self.today, erasingBefore: Self.today))
        #expect(present.dayCount == 3)
        #expect(!FileManager.default.fileExists(atPath: former.path))
        // After the rename the former file is another one.
        try write([UInt8](repeating: 7, count: 60), to: "covid-tracer.former")
        let old = try FileHandle(forReadingFrom: former)
        _ = files.dayKey(of: .covidTracer, on: Self.today, erasingBefore: Self.today)
        #expect([UInt8](try #require(try old.readToEnd())) == [UInt8](repeating: 0, count: 60))
        #expect(!FileManager.default.fileExists(atPath: former.path))
    }

    @Test func `new keys join those that are there`() throws {
        let old = try keys(from: Self.today, count: 10)
        let new = try keys(from: Self.today + 2, count: 28, root: 2)
        #expect(files.store(old))
        #expect(files.store(new))
        let offer = try #require(files.dayKey(of: .covidTracer, on: Self.today, erasingBefore: Self.today))
        #expect(offer.key == old.key(of: Self.today))
        #expect(offer.dayCount == 30)
        let later = try #require(
            files.dayKey(of: .covidTracer, on: Self.today + 2, erasingBefore: Self.today + 2))
        #expect(later.key == new.key(of: Self.today + 2))
    }

    @Test func `a file that is not there is made, with keys of no day`() throws {
        try files.check(.herald)
        let made = try contents("herald")
        #expect(try DayKeys(record: made.span) == DayKeys(.herald))
        #expect(files.dayKey(of: .herald, on: Self.today, erasingBefore: Self.today) == DayKeyOffer())
        let nowhere = Array("/nowhere/keys".utf8)
        let path = FixedText<256>(nowhere.span)
        let files = SecretFiles(herald: try #require(path), covidTracer: nil, sonar: nil)
        #expect(throws: SecretFileError.cannotMake(2)) { try files.check(.herald) }
    }

    @Test(arguments: [
        ("herald", 2_048, 0o600, SecretFileError.root), ("covid-tracer", 32, 0o600, .root),
        ("herald", 2_047, 0o600, .damaged), ("herald", 32, 0o600, .damaged), ("herald", 0, 0o600, .damaged),
        ("covid-tracer", 2_048, 0o600, .damaged), ("herald", 2_048, 0o640, .notPrivate),
    ])
    func `bytes that are not a record are refused and stay in the file`(
        name: String, byteCount: Int, mode: Int, error: SecretFileError
    ) throws {
        let bytes = [UInt8](repeating: 7, count: byteCount)
        try write(bytes, to: name, mode: mode)
        let scheme = name == "herald" ? SchemeID.herald : .covidTracer
        #expect(throws: error) { try files.check(scheme) }
        #expect(files.dayKey(of: scheme, on: Self.today, erasingBefore: Self.today) == nil)
        #expect(try contents(name) == bytes)
    }

    @Test func `another scheme's keys are refused`() throws {
        let record = try keys(from: Self.today, count: 3).record
        try write((0..<record.count).map { record[$0] }, to: "herald")
        #expect(throws: SecretFileError.damaged) { try files.check(.herald) }
    }

    @Test func `a registration is kept and read`() throws {
        #expect(try files.sonarRegistration() == nil)
        let registration = SonarRegistration(
            installation: Bytes(), secret: Bytes(),
            authorityKey: try P256PrivateKey(entropy: .system).publicKey)
        let record = SonarRegistrationRecord.encode(registration)
        let stored = files.store(sonarRegistration: record.span)
        #expect(stored)
        #expect(try files.sonarRegistration()?.authorityKey == registration.authorityKey)
        try write([UInt8](repeating: 1, count: 127), to: "sonar")
        #expect(throws: SecretFileError.damaged) { try files.sonarRegistration() }
    }
}
