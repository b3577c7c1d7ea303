import Cryptography
import FixedMemory
import Matching

/// The signing key and algorithm, as stated in export files and beside each signature.
public struct ExportSignatureInfo: Equatable, Sendable {
    /// ECDSA with SHA-256.
    public static let algorithm = "1.2.840.10045.4.3.2"
    /// ECDSA with SHA-512, the other one that the format allows.
    static let algorithmWithSHA512 = "1.2.840.10045.4.3.4"

    /// Fields 3, 4 and 5.
    public var keyVersion: String?
    public var keyIdentifier: String?
    public var algorithm: String?

    public init(keyVersion: String?, keyIdentifier: String?, algorithm: String? = algorithm) {
        self.keyVersion = keyVersion
        self.keyIdentifier = keyIdentifier
        self.algorithm = algorithm
    }

    var encoded: [UInt8] {
        var writer = ProtobufWriter()
        writer.append(3, string: keyVersion)
        writer.append(4, string: keyIdentifier)
        writer.append(5, string: algorithm)
        return writer.bytes
    }

    init(_ bytes: [UInt8]) throws(ExportFileError) {
        self.init(keyVersion: nil, keyIdentifier: nil, algorithm: nil)
        var reader = ProtobufReader(bytes)
        while let field = try reader.next() {
            switch field.number {
            case 3: keyVersion = try require(field.value.string)
            case 4: keyIdentifier = try require(field.value.string)
            case 5: algorithm = try require(field.value.string)
            default: break
            }
        }
    }
}

/// `export.sig`: signatures over all bytes of an export file, including its header.
public struct ExportSignatures: Equatable, Sendable {
    public struct Signature: Equatable, Sendable {
        /// Fields 1, 2 and 3.
        public var info: ExportSignatureInfo?
        public var batchNumber: Int32?
        public var batchSize: Int32?
        /// Field 4: in DER.
        public var signature: [UInt8]

        var encoded: [UInt8] {
            var writer = ProtobufWriter()
            writer.append(1, bytes: info?.encoded)
            writer.append(2, int32: batchNumber)
            writer.append(3, int32: batchSize)
            writer.append(4, bytes: signature)
            return writer.bytes
        }
    }

    /// Field 1.
    public var signatures: [Signature] = []

    public var file: [UInt8] {
        var writer = ProtobufWriter()
        for signature in signatures { writer.append(1, bytes: signature.encoded) }
        return writer.bytes
    }

    public init(file: [UInt8]) throws(ExportFileError) {
        var reader = ProtobufReader(file)
        while let field = try reader.next() {
            guard field.number == 1 else { continue }
            signatures.append(try Self.signature(try require(field.value.bytes)))
        }
    }

    /// Signs an export as its first signature information states (RFC 6979: the same signature each time).
    public init(
        signing export: ExposureKeyExport, with key: inout P256PrivateKey, entropy: Entropy
    ) throws(ExportFileError) {
        let digest = SHA256.digest(of: export.file.span)
        let signature: Bytes<64>
        do throws(CryptographyError) {
            signature = try key.sign(digest: digest, entropy: entropy)
        } catch {
            throw .cryptography
        }
        signatures = [
            Signature(
                info: export.signatureInfos.first, batchNumber: export.batchNumber,
                batchSize: export.batchSize, signature: [UInt8](copying: DERSignature(signature).span))
        ]
    }

    /// Verifies by SHA-512 if the signature names it, and by SHA-256 otherwise: servers write other names for
    /// the usual algorithm, such as "SHA256withECDSA".
    ///
    /// - Throws: `.notSigned` unless this key made one of the signatures over these bytes.
    public func verify(file: [UInt8], by key: P256PublicKey) throws(ExportFileError) {
        lazy var digestBySHA256 = SHA256.digest(of: file.span)
        lazy var digestBySHA512 = SHA512.leadingDigest(of: file)
        for signature in signatures {
            let isSHA512 = signature.info?.algorithm == ExportSignatureInfo.algorithmWithSHA512
            let digest = isSHA512 ? digestBySHA512 : digestBySHA256
            let der = signature.signature
            guard let fixed = DERSignature(parsing: der.span)?.fixed else { continue }
            do throws(CryptographyError) {
                try key.verify(fixed, digest: digest)
                return
            } catch {
                guard error == .authenticationFailed else { throw .cryptography }
            }
        }
        throw .notSigned
    }

    private static func signature(_ bytes: [UInt8]) throws(ExportFileError) -> Signature {
        var signature = Signature(signature: [])
        var reader = ProtobufReader(bytes)
        while let field = try reader.next() {
            switch field.number {
            case 1: signature.info = try ExportSignatureInfo(try require(field.value.bytes))
            case 2: signature.batchNumber = try require(field.value.int32)
            case 3: signature.batchSize = try require(field.value.int32)
            case 4: signature.signature = try require(field.value.bytes)
            default: break
            }
        }
        return signature
    }
}
