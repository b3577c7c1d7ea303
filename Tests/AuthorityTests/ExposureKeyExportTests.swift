import Cryptography
import FixedMemory
import TestSupport
import Testing

@testable import Authority

@Suite struct ExposureKeyExportTests {
    private func export() -> ExposureKeyExport {
        var export = ExposureKeyExport()
        export.startSeconds = 1_590_000_000
        export.endSeconds = 1_590_086_400
        export.region = "GB"
        export.batchNumber = 1
        export.batchSize = 1
        export.signatureInfos = [ExportSignatureInfo(keyVersion: "v1", keyIdentifier: "234")]
        export.keys = (0..<3).map {
            ExportedKey(
                data: [UInt8](repeating: UInt8(9 - $0), count: 16), rollingStart: 2_650_032,
                rollingPeriod: 144, reportType: 1, daysSinceOnset: Int32($0) - 1)
        }
        export.revisedKeys = [ExportedKey(data: [UInt8](repeating: 1, count: 16), reportType: 5)]
        return export
    }

    private func signed() throws -> (file: [UInt8], signatures: ExportSignatures, key: P256PublicKey) {
        var key = try P256PrivateKey(
            scalar: Bytes([UInt8](repeating: 3, count: 32)) ?? Bytes(), entropy: .system)
        let signatures = try ExportSignatures(signing: export(), with: &key, entropy: .system)
        return (export().file, signatures, key.publicKey)
    }

    @Test func `a file reads back as it was written, and sorting it hides groups`() throws {
        var export = export()
        #expect(try ExposureKeyExport(file: export.file) == export)
        export.sortKeys()
        #expect(export.keys.map { $0.data[0] } == [7, 8, 9])
        #expect(try export.keys[2].key().rollingStart.number == 2_650_032)
        #expect(throws: ExportedKeyDefect.noRollingStart) { try export.revisedKeys[0].key() }
    }

    @Test func `every byte of a file is signed, and no other key verifies it`() throws {
        let (file, signatures, key) = try signed()
        #expect(throws: Never.self) { try signatures.verify(file: file, by: key) }
        #expect(try ExportSignatures(file: signatures.file) == signatures)
        for index in stride(from: 0, to: file.count, by: 7) {
            var changed = file
            changed[index] ^= 1
            #expect(throws: ExportFileError.notSigned) { try signatures.verify(file: changed, by: key) }
        }
        let other = try P256PrivateKey(entropy: .system).publicKey
        #expect(throws: ExportFileError.notSigned) { try signatures.verify(file: file, by: other) }
        var none = signatures
        none.signatures = []
        #expect(throws: ExportFileError.notSigned) { try none.verify(file: file, by: key) }
    }

    /// Tests/Vectors/export-sha512.json
    private struct SignedWithSHA512: Decodable {
        let publicKey: String
        let file: String
        let signatures: String
    }

    @Test func `a signature that names SHA-512 is verified with it`() throws {
        let vector = try Vectors.load("export-sha512.json", as: SignedWithSHA512.self)
        let key = try P256PublicKey(x963: [UInt8](hex: vector.publicKey).span)
        var signatures = try ExportSignatures(file: [UInt8](hex: vector.signatures))
        let file = [UInt8](hex: vector.file)
        try signatures.verify(file: file, by: key)
        #expect(throws: ExportFileError.notSigned) { try signatures.verify(file: file + [0], by: key) }
        signatures.signatures[0].info?.algorithm = ExportSignatureInfo.algorithm
        #expect(throws: ExportFileError.notSigned) { try signatures.verify(file: file, by: key) }
    }

    @Test(
        arguments: [
            ("3a020a00", .wrongLength(0)),
            ("3a140a0f" + "0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f" + "1810" + "01", nil),
            ("3a110a0f" + "0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f", .wrongLength(15)),
        ] as [(String, ExportedKeyDefect?)])
    func `a key that cannot be used does not cost the others`(hex: String, defect: ExportedKeyDefect?) throws
    {
        let export = try ExposureKeyExport(file: export().file + [UInt8](hex: hex))
        #expect(export.keys.prefix(3) == self.export().keys[...])
        guard let defect else { return #expect(export.unreadableKeyCount == 1) }
        #expect(throws: defect) { try export.keys[3].key() }
    }

    @Test func `a truncated file gives fewer keys or an error, and never more`() throws {
        let file = export().file
        for count in 0..<file.count {
            let short = Array(file.prefix(count))
            guard let read = try? ExposureKeyExport(file: short) else { continue }
            #expect(read.keys.count + read.revisedKeys.count < 4)
        }
        #expect(throws: ExportFileError.noHeader) { try ExposureKeyExport(file: []) }
    }

    @Test func `unknown fields are ignored, and malformed ones are not`() throws {
        let header = ExposureKeyExport.header
        #expect(try ExposureKeyExport(file: header + [0x7a, 1, 9, 0x1a, 1, 0x41]).region == "A")
        for wrong in [
            [0x00], [0x08, 0x01], [0x1a, 2, 0x41], [0x1a, 1, 0xff], [0x03],
            [UInt8](repeating: 0x80, count: 11),
            [0x3a, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x7f],
        ] as [[UInt8]] {
            #expect(throws: ExportFileError.malformed) { try ExposureKeyExport(file: header + wrong) }
        }
    }
}
