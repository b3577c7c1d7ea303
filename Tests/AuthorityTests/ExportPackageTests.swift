import Cryptography
import FixedMemory
import TestSupport
import Testing

@testable import Authority

/// Tests/Vectors/export-zip.json
private struct PackedExports: Decodable {
    let deflated: String
    let streamed: String
}

@Suite struct ExportPackageTests {
    private let packed: PackedExports

    init() throws { packed = try Vectors.load("export-zip.json", as: PackedExports.self) }

    private func export(keyCount: Int) -> ExposureKeyExport {
        var export = ExposureKeyExport()
        export.startSeconds = 1_590_000_000
        export.endSeconds = 1_590_086_400
        export.keys = (0..<keyCount).map { index in
            ExportedKey(
                data: [UInt8](repeating: UInt8(200 - index), count: 16),
                rollingStart: 2_650_032 + 144 * Int32(index), rollingPeriod: 144,
                reportType: 1 + Int32(index), daysSinceOnset: Int32(index))
        }
        return export
    }

    @Test func `a package reads back as it was written, and verifies with its signer's key only`() throws {
        var key = try P256PrivateKey(entropy: .system)
        let publicKey = key.publicKey
        let package = try ExportPackage(
            signing: export(keyCount: 3), paddedTo: 0, with: &key, entropy: .system)
        let read = try ExportPackage(zip: package.zip)
        #expect(read == package)
        #expect(try read.export(signedBy: publicKey).keys.count == 3)
        let other = try P256PrivateKey(entropy: .system).publicKey
        #expect(throws: ExportFileError.notSigned) { try read.export(signedBy: other) }
    }

    @Test func `zip files of other writers are read, deflated, commented, streamed or with extras`() throws {
        let deflated = try ExportPackage(zip: [UInt8](hex: packed.deflated))
        #expect(try ExportPackage(zip: [UInt8](hex: packed.streamed)) == deflated)
        #expect(try ExposureKeyExport(file: deflated.file).region == "US")
        #expect(deflated.signatures.signatures.count == 1)
    }

    @Test func `a package has at least a thousand keys, sorted, including the true ones`() throws {
        var key = try P256PrivateKey(entropy: .system)
        let export = export(keyCount: 3)
        let package = try ExportPackage(signing: export, with: &key, entropy: .system)
        let keys = try ExposureKeyExport(file: package.file).keys
        #expect(keys.count == 1_000)
        #expect(Set(keys.map(\.data)).count == 1_000)
        #expect(export.keys.allSatisfy(keys.contains))
        #expect(zip(keys, keys.dropFirst()).allSatisfy { $0.data.lexicographicallyPrecedes($1.data) })
    }

    @Test func `random keys copy the fields of true keys, each about equally often`() {
        var generator = SeededGenerator(seed: 5)
        var export = export(keyCount: 3)
        export.pad(to: 3_000, using: &generator)
        for trueKey in self.export(keyCount: 3).keys {
            let alike = export.keys.filter {
                var key = $0
                key.data = trueKey.data
                return key == trueKey
            }
            #expect((900...1_100).contains(alike.count))
        }
    }

    @Test func `a file with enough keys, or with none, is not padded`() {
        var generator = SeededGenerator(seed: 6)
        var (many, none) = (export(keyCount: 5), export(keyCount: 0))
        many.pad(to: 4, using: &generator)
        none.pad(using: &generator)
        #expect(many.keys.count == 5)
        #expect(none.keys.isEmpty)
    }

    @Test func `a truncated or changed zip file gives an error or the packed files`() throws {
        let file = [UInt8](hex: packed.deflated)
        let whole = try ExportPackage(zip: file)
        for count in 0..<file.count {
            #expect(throws: ExportFileError.self) { try ExportPackage(zip: Array(file.prefix(count))) }
        }
        for index in file.indices {
            for bit in 0..<8 as Range<UInt8> {
                var changed = file
                changed[index] ^= 1 << bit
                if let read = try? ExportPackage(zip: changed) { #expect(read == whole) }
            }
        }
    }

    @Test func `an entry that claims to be too long, or is longer than it claims, is not unpacked`() throws {
        let file = [UInt8](hex: packed.deflated)
        let entry = try #require(place(of: ZipFormat.directoryEntry, in: file))
        let lengths: [(UInt32, ExportFileError)] = [
            (UInt32(ExportPackage.maximumByteCount) + 1, .tooLong), (.max, .tooLong), (10, .noPackage),
            (0, .noPackage), (100_000, .noPackage),
        ]
        for (length, error) in lengths {
            var changed = file
            for index in 0..<4 {
                changed[entry + 24 + index] = UInt8(truncatingIfNeeded: length >> UInt32(8 * index))
            }
            #expect(throws: error) { try ExportPackage(zip: changed) }
        }
    }

    @Test(arguments: ["day/", "Downloads/2026-11-26/"])
    func `the files may be in a folder of the zip file`(folder: String) throws {
        let package = try ExportPackage(zip: [UInt8](hex: packed.deflated))
        var writer = ZipWriter()
        writer.append("__MACOSX/" + folder + "._export.bin", [0])
        writer.append("__MACOSX/" + folder + "export.bin", [0])
        writer.append(folder + "export.bin", package.file)
        writer.append(folder + "export.sig", package.signatures.file)
        #expect(try ExportPackage(zip: writer.file) == package)
        writer.append("other/export.bin", package.file)
        #expect(throws: ExportFileError.missingFile) { try ExportPackage(zip: writer.file) }
    }

    @Test func `a zip file without both files, or with one twice, is not a package`() {
        var one = ZipWriter()
        one.append("export.bin", [1, 2, 3])
        #expect(throws: ExportFileError.missingFile) { try ExportPackage(zip: one.file) }
        var twice = one
        twice.append("export.sig", [])
        twice.append("export.bin", [4])
        #expect(throws: ExportFileError.noPackage) { try ExportPackage(zip: twice.file) }
        var crowd = ZipWriter()
        for index in 0...ZipReader.maximumEntryCount { crowd.append("\(index)", []) }
        #expect(throws: ExportFileError.noPackage) { try ExportPackage(zip: crowd.file) }
    }

    private func place(of signature: UInt32, in file: [UInt8]) -> Int? {
        let bytes = (0..<4).map { UInt8(truncatingIfNeeded: signature >> UInt32(8 * $0)) }
        return file.indices.dropLast(3).first { Array(file[$0..<$0 + 4]) == bytes }
    }
}
