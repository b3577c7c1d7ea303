import Cryptography
import FixedMemory
import Schemes
import TestSupport
import Testing
import TextFormats

@testable import Authority

@Suite struct SonarRegisterTests {
    /// 2020-05-07T09:00:00Z
    private let now: UInt64 = 1_588_842_000

    private func register() -> SonarRegister {
        var generator = SeededGenerator(seed: 5)
        var register = SonarRegister()
        for _ in 0..<3 { _ = register.register(at: now, using: &generator) }
        return register
    }

    @Test func `a stored register finds each installation by its number and by its code`() throws {
        let register = register()
        let kept = try #require(SonarRegister(try JSONReader.read(Array(register.json.text.utf8))))
        #expect(kept == register)
        for installation in register.installations {
            #expect(kept[installation.identifier] == installation)
            #expect(kept[installation.referenceCode] == installation)
            // A random UUID.
            #expect(installation.identifierText.dropFirst(14).first == "4")
        }
        #expect(kept[Bytes<16>()] == nil)
    }

    @Test func `any other text is not a register`() throws {
        let register = register()
        let good = register.json.text
        let (first, second) = (register.installations[0], register.installations[1])
        for (old, new) in [
            ("register-1", "register-2"), (first.identifierText, first.identifierText.uppercased()),
            (first.identifierText, second.identifierText), ("09:00:00Z", "09:00:00"),
            (first.referenceCode.text, "0000-0001"), ("}]}", "}],\"more\":1}"), ("\"secret\"", "\"key\""),
        ] {
            let changed = good.replacing(old, with: new)
            #expect(changed != good)
            #expect(SonarRegister(try JSONReader.read(Array(changed.utf8))) == nil, "\(new)")
        }
    }

    @Test func `a reference code is valid once, for two weeks, and for its own installation only`() throws {
        var register = register()
        let (first, second) = (register.installations[0], register.installations[1])
        let end = now + SonarRegister.codeLifetimeSeconds
        #expect(SonarRegister.codeLifetimeSeconds == 14 * 86_400)
        #expect(first.codeRefusal(at: end - 1) == nil)
        #expect(try register.redeem(first.referenceCode, at: end - 1).identifier == first.identifier)
        #expect(throws: SonarCodeRefusal.redeemed(at: end - 1)) {
            try register.redeem(first.referenceCode, at: end - 1)
        }
        #expect(throws: SonarCodeRefusal.expired(at: end)) {
            try register.redeem(second.referenceCode, at: end)
        }
        #expect(register[second.identifier]?.redeemedAt == nil)
        #expect(throws: SonarCodeRefusal.unknown) {
            var empty = SonarRegister()
            _ = try empty.redeem(second.referenceCode, at: now)
        }
    }

    @Test func `a stored register remembers used codes, and one from before they were recorded is read`()
        throws
    {
        var register = register()
        let older = register.json.text
        #expect(!older.contains("redeemed"))
        #expect(SonarRegister(try JSONReader.read(Array(older.utf8))) == register)
        let used = try register.redeem(register.installations[1].referenceCode, at: now + 60)
        let text = register.json.text
        #expect(text.contains(#""redeemed":"2020-05-07T09:01:00Z"}"#))
        let kept = try #require(SonarRegister(try JSONReader.read(Array(text.utf8))))
        #expect(kept == register)
        #expect(kept[used.identifier]?.codeRefusal(at: now + 61) == .redeemed(at: now + 60))
        for (old, new) in [("09:01:00Z", "09:01:00"), ("\"redeemed\"", "\"used\"")] {
            let changed = text.replacing(old, with: new)
            #expect(changed != text)
            #expect(SonarRegister(try JSONReader.read(Array(changed.utf8))) == nil, "\(new)")
        }
    }

    @Test func `a device's record has 127 bytes, and none can be changed`() throws {
        let installation = register().installations[0]
        let key = try P256PrivateKey(entropy: .system).publicKey
        let bytes = SonarRegistrationRecord.encode(
            SonarRegistration(
                installation: installation.identifier, secret: installation.secret, authorityKey: key,
                country: 250)
        ).array
        #expect(bytes.count == SonarRegistrationRecord.byteCount)
        let decoded = SonarRegistrationRecord.decode(bytes.span)
        let read = try #require(decoded)
        #expect(read.installation == installation.identifier)
        #expect(read.secret == installation.secret)
        #expect(read.authorityKey == key)
        #expect(read.country == 250)
        for index in bytes.indices {
            var changed = bytes
            changed[index] ^= 1
            let damaged = SonarRegistrationRecord.decode(changed.span)
            #expect(damaged == nil, "\(index)")
        }
        for other in [Array(bytes.dropLast()), bytes + [0], []] {
            let decoded = SonarRegistrationRecord.decode(other.span)
            #expect(decoded == nil)
        }
    }

    @Test func `an upload is accepted only if its installation signed it, in either dialect`() throws {
        let register = register()
        let (owner, other) = (register.installations[0], register.installations[1])
        let upload = SonarUpload(
            installation: owner.identifier, symptoms: ["COUGH"], symptomsSeconds: now, events: [])
        for dialect in SonarUpload.Dialect.allCases {
            let request = try upload.request(
                dialect, host: "authority.invalid", at: now, secret: owner.secret)
            #expect(try SonarUpload(request, from: register) == upload)
            let forged = try upload.request(
                dialect, host: "authority.invalid", at: now, secret: other.secret)
            #expect(throws: SonarRequestRefusal.notSigned) { try SonarUpload(forged, from: register) }
            #expect(throws: SonarRequestRefusal.unknownInstallation) {
                try SonarUpload(request, from: SonarRegister())
            }
        }
    }

    @Test func `a part of the body cannot be moved into the time`() throws {
        let register = register()
        let owner = register.installations[0]
        let upload = SonarUpload(
            installation: owner.identifier, symptoms: [], symptomsSeconds: now, events: [])
        let request = try upload.request(.iOS, host: "a", at: now, secret: owner.secret)
        let shifted = HTTPRequest(
            method: request.method, path: request.path,
            fields: request.fields.map {
                $0.name == SonarUpload.timeField ? .init($0.name, $0.value + "{") : $0
            }, body: Array(request.body.dropFirst()))
        #expect(throws: SonarRequestRefusal.noTime) { try SonarUpload(shifted, from: register) }
    }
}
