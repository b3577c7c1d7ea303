import Cryptography
import FixedMemory
import Foundation
import KeyFiles
import TestSupport
import Testing

@Suite final class KeyFileTests {
    private let directory = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString).path

    init() throws {
        try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(atPath: directory) }

    private func path(_ name: String) -> String { directory + "/" + name }

    private func write(_ text: String, _ name: String, mode: Int = 0o600) throws -> String {
        try Data(text.utf8).write(to: URL(filePath: path(name)))
        try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path(name))
        return path(name)
    }

    @Test func `a written key pair can be read back`() throws {
        let pair = KeyPair()
        try pair.write("operator", in: directory)
        let secret = try KeyFile(path: path("operator.pem"))
        let open = try KeyFile(path: path("operator.pub.pem"))
        #expect(secret.publicHalf == pair.publicHalf)
        #expect(open.publicHalf == pair.publicHalf)
        #expect(open.scalar == nil)
        let scalar = try #require(secret.scalar)
        let key = try P256PrivateKey(scalar: scalar, entropy: .system)
        let made = key.publicKey
        #expect(made == pair.publicHalf)
    }

    @Test func `only its owner may read the secret half`() throws {
        try KeyPair().write("operator", in: directory)
        let attributes = try FileManager.default.attributesOfItem(atPath: path("operator.pem"))
        #expect(attributes[.posixPermissions] as? Int == 0o600)
        try FileManager.default.setAttributes(
            [.posixPermissions: 0o640], ofItemAtPath: path("operator.pem"))
        #expect(throws: KeyFileError.tooOpen(path("operator.pem"))) {
            try KeyFile(path: self.path("operator.pem"))
        }
    }

    @Test func `existing files are not overwritten`() throws {
        let first = KeyPair()
        try first.write("opening", in: directory)
        #expect(throws: KeyFileError.exists(path("opening.pem"))) {
            try KeyPair().write("opening", in: self.directory)
        }
        #expect(throws: KeyFileError.exists(path("opening.pem"))) {
            try KeyPair.requireAbsent(["other", "opening"], in: self.directory)
        }
        #expect(try KeyFile(path: path("opening.pem")).publicHalf == first.publicHalf)
    }

    /// The keys are as OpenSSL writes them: `openssl ecparam -genkey -name prime256v1 -noout`, and `openssl
    /// pkey`.
    @Test func `both forms of private keys are read`() throws {
        let sec1 = try write(
            """
            -----BEGIN EC PRIVATE KEY-----
            MHcCAQEEIPawdTv5Lk51HB2uvQ1n/VmCLVOFOtR7StNNu2qE/gJDoAoGCCqGSM49
            AwEHoUQDQgAExH5dr/s3AvxTRHW738sCjnn0z7Ey5Eo9JbQKOtkNxVF/zt8JeMTK
            8sl56734C3Z6MSd3SCuUl1O4AtZcFwk7BQ==
            -----END EC PRIVATE KEY-----
            """, "sec1.pem")
        let pkcs8 = try write(
            """
            -----BEGIN PRIVATE KEY-----
            MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQg9rB1O/kuTnUcHa69
            DWf9WYItU4U61HtK0027aoT+AkOhRANCAATEfl2v+zcC/FNEdbvfywKOefTPsTLk
            Sj0ltAo62Q3FUX/O3wl4xMryyXnrvfgLdnoxJ3dIK5SXU7gC1lwXCTsF
            -----END PRIVATE KEY-----
            """, "pkcs8.pem")
        #expect(try KeyFile(path: sec1).scalar == KeyFile(path: pkcs8).scalar)
    }

    private static let base64 =
        "MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAExH5dr/s3AvxTRHW738sCjnn0z7Ey5Eo9JbQKOtkNxVF/zt8JeMTK8sl56734C3Z6MSd3SCuUl1O4AtZcFwk7BQ=="
    private static let onOneLine = "-----BEGIN PUBLIC KEY-----\n\(base64)\n-----END PUBLIC KEY-----\n"

    @Test(arguments: [
        onOneLine, "\u{feff}" + onOneLine, onOneLine.replacing("\n", with: "  \r\n"),
        "Our key, as of May:\n\n" + onOneLine + "\nRegards", base64, base64 + "\n",
        "-----BEGIN EC PARAMETERS-----\nBggqhkjOPQMBBw==\n-----END EC PARAMETERS-----\n" + onOneLine,
        "-----BEGIN PUBLIC KEY-----\nMCowBQYDK2VwAyEAGb9ECWmEzf6FQbrBZ9w7lshQhqowtrbLDFw4rXAxZuE=\n"
            + "-----END PUBLIC KEY-----\n" + onOneLine,
    ])
    func `a public key is read in every form that people have`(text: String) throws {
        let plain = try write(
            "-----BEGIN PUBLIC KEY-----\n\(Self.base64.prefix(64))\n\(Self.base64.dropFirst(64))\n"
                + "-----END PUBLIC KEY-----\n", "plain.pem")
        let expected = try KeyFile(path: plain).publicHalf
        #expect(try KeyFile(path: write(text, "form.pem")).publicHalf == expected)
    }

    @Test func `a public key is read in DER`() throws {
        let encoded = try #require(Data(base64Encoded: Self.base64))
        try encoded.write(to: URL(filePath: path("key.der")))
        let pem = try write(Self.onOneLine, "key.pem")
        #expect(try KeyFile(path: path("key.der")).publicHalf == KeyFile(path: pem).publicHalf)
    }

    @Test func `a file that ends within a key has none`() throws {
        let whole = Self.onOneLine
        for count in stride(from: 0, to: whole.count - 30, by: 7) {
            let file = try write(String(whole.prefix(count)), "cut.pem")
            #expect(throws: KeyFileError.noKey(file)) { try KeyFile(path: file) }
        }
    }

    @Test func `other keys are refused`() throws {
        let other = """
            -----BEGIN PRIVATE KEY-----
            MC4CAQAwBQYDK2VwBCIEIAKKxNIA2yAQPi2pqeUylNw62auLyUrVD2i16ztk2hBl
            -----END PRIVATE KEY-----
            """
        for text in ["", "secret", other] {
            let file = try write(text, "other.pem")
            #expect(throws: KeyFileError.noKey(file)) { try KeyFile(path: file) }
        }
        #expect(throws: KeyFileError.noKey(directory)) { try KeyFile(path: self.directory) }
        #expect(throws: KeyFileError.absent(path("none.pem"))) { try KeyFile(path: self.path("none.pem")) }
    }

    @Test func `a fingerprint has 32 digits`() throws {
        var fingerprint = Bytes<16>()
        for index in 0..<16 { fingerprint[index] = UInt8(index * 16) }
        #expect(Fingerprint.text(fingerprint) == "0010:2030:4050:6070:8090:a0b0:c0d0:e0f0")
    }
}
