import Authority
import Cryptography
import FixedMemory

/// Export files: a foreign one, which is read and verified, and one that must be reproduced byte for byte.
enum ExportFileVectors {
    static func checkOfficial(_ object: VectorObject) throws {
        let file = try object.bytes("export_bin")
        let information = try object.base64("public_spki_b64")
        let key = try P256PublicKey(subjectPublicKeyInfo: information.span)
        try object.expectBase64("public_spki_b64", key.subjectPublicKeyInfo.array)
        let signatures = try check(object, file)
        try object.expect("signature_der", signatures.signatures[0].signature)
        try object.expect(
            "signature_verifies_over_whole_bin", (try? signatures.verify(file: file, by: key)) != nil)
        guard try object.bool("signature_verifies_over_whole_bin") else {
            throw object.error("signature_verifies_over_whole_bin", "so the file is nobody's")
        }
        let export = try ExposureKeyExport(file: file)
        try object.expect("start_timestamp", export.startSeconds ?? 0)
        try object.expect("end_timestamp", export.endSeconds ?? 0)
        try object.expect("region", export.region ?? "")
        try check(try object.objects("keys"), export)
    }

    static func checkOwn(_ object: VectorObject) throws {
        var key = try P256PrivateKey(scalar: object.block("signing_private_hex"), entropy: .system)
        try object.expect("signing_public_x963", key.publicKey.x963)
        let file = try object.bytes("export_bin")
        let export = try ExposureKeyExport(file: file)
        try check(try object.objects("keys_sorted_by_key_data"), export)
        var sorted = export
        sorted.sortKeys()
        guard sorted == export else { throw object.error("export_bin", "its keys are not sorted") }
        guard let information = export.signatureInfos.first, export.signatureInfos.count == 1 else {
            throw object.error("export_bin", "does not say how it is signed")
        }
        let stated = try object.object("signature_info")
        try stated.expect("version", information.keyVersion ?? "")
        try stated.expect("id", information.keyIdentifier ?? "")
        try stated.expect("oid", information.algorithm ?? "")
        try stated.finish()
        let signatures = try ExportSignatures(signing: export, with: &key, entropy: .system)
        try object.expect("ecdsa_rfc6979_der", signatures.signatures[0].signature)
        try object.expect("export_sig", signatures.file)
        _ = try check(object, file)
        try signatures.verify(file: file, by: key.publicKey)
    }

    /// Checks that the file and its signatures are encoded as we write them, and belong together.
    private static func check(_ object: VectorObject, _ file: [UInt8]) throws -> ExportSignatures {
        let export = try ExposureKeyExport(file: file)
        try object.expect("export_bin", export.file)
        let signatures = try ExportSignatures(file: object.bytes("export_sig"))
        try object.expect("export_sig", signatures.file)
        guard signatures.signatures.count == 1, let signature = signatures.signatures.first,
            export.signatureInfos == [signature.info].compactMap(\.self),
            signature.batchNumber == export.batchNumber, signature.batchSize == export.batchSize
        else { throw object.error("export_sig", "is not of this file") }
        return signatures
    }

    private static func check(_ stated: [VectorObject], _ export: ExposureKeyExport) throws {
        guard stated.count == export.keys.count, export.revisedKeys.isEmpty else {
            throw stated[0].error("key_data", "and the others' are not as many as the file's keys")
        }
        for (object, key) in zip(stated, export.keys) {
            guard key.key != nil else { throw object.error("key_data", "not a temporary exposure key") }
            try object.expect("key_data", key.data)
            try expect("transmission_risk", key.transmissionRisk, object)
            try expect("rolling_start", key.rollingStart, object)
            try expect("rolling_period", key.rollingPeriod, object)
            try expect("report_type", key.reportType, object)
            try expect("days_since_onset", key.daysSinceOnset, object)
            try object.finish()
        }
    }

    /// Checks a field that must be present if and only if the file has it.
    private static func expect(_ name: String, _ value: Int32?, _ object: VectorObject) throws {
        if let value { try object.expect(name, value) }
    }
}
