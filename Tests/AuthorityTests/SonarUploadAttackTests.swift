import FixedMemory
import Matching
import Schemes
import TestSupport
import Testing
import TextFormats

@testable import Authority

/// Attacks on Sonar's uploads and their outcome: rows of the table in docs/schemes.md. Both work, because the
/// apps trusted TLS and defined the format.
@Suite struct SonarUploadAttackTests {
    private static let authority: Bytes<32> = block(11)
    /// 2020-05-07 12:00 UTC
    private static let noon: UInt64 = 1_588_852_800

    private static func block<let count: Int>(_ seed: UInt64) -> Bytes<count> {
        var generator = SeededGenerator(seed: seed)
        return Bytes(generator.bytes(count).span) ?? Bytes()
    }

    private struct Person {
        let installation: Bytes<16>
        let secret: Bytes<32>

        init(_ seed: UInt64) {
            installation = block(seed)
            secret = block(seed + 1_000)
        }

        /// This person's answer to a read at noon.
        func payload() throws -> SonarPayload {
            let key = try SonarResolver(scalar: authority, entropy: .system).publicKey
            var maker = SonarMaker(
                SonarRegistration(installation: installation, secret: secret, authorityKey: key),
                txPowerDBm: -7, entropy: .system)
            return try Sonar.identity(at: noon, by: &maker).identity
        }

        /// This person's signed upload, in its wire format.
        func upload(of met: SonarPayload, at start: UInt64, _ rssi: [Int8]) throws -> [UInt8] {
            let event = SonarContactEvent(
                payload: met, startSeconds: UInt32(start), durationSeconds: UInt32(8 * (rssi.count - 1)),
                rssiValuesDBm: rssi,
                rssiIntervalsSeconds: rssi.indices.map { $0 == 0 ? 0 : 8 })
            let upload = SonarUpload(
                installation: installation, symptoms: ["COUGH"], symptomsSeconds: noon, events: [event])
            return try upload.request(.iOS, host: "authority.invalid", at: noon + 86_400, secret: secret)
                .encoded
        }
    }

    /// One person's RSSI readings of the other, every eight seconds. Both share the same paths, and each
    /// receiver adds its own noise.
    private static func readings(
        of meeting: UInt64, receiver: UInt64, offsetDB: Int
    ) -> [Int8] {
        var path = SeededGenerator(seed: meeting)
        var noise = SeededGenerator(seed: receiver)
        var level = -70
        return (0..<75).map { _ in
            level += Int.random(in: -4...4, using: &path)
            level = min(max(level, -90), -50)
            return Int8(level + offsetDB + Int.random(in: -2...2, using: &noise))
        }
    }

    /// The upload as an eavesdropper without any key sees it.
    private func overheard(_ bytes: [UInt8]) throws -> SonarUpload {
        let request = try #require(HTTPRequest(parsing: bytes))
        return try SonarUpload(body: request.body)
    }

    /// Pearson's correlation coefficient.
    private func correlation(_ first: [Int8], _ second: [Int8]) -> Double {
        let pairs = zip(first, second).map { (Double($0), Double($1)) }
        let count = Double(pairs.count)
        let means = (pairs.map(\.0).reduce(0, +) / count, pairs.map(\.1).reduce(0, +) / count)
        let product = pairs.map { ($0.0 - means.0) * ($0.1 - means.1) }.reduce(0, +)
        let squares = (
            pairs.map { ($0.0 - means.0) * ($0.0 - means.0) }.reduce(0, +),
            pairs.map { ($0.1 - means.1) * ($0.1 - means.1) }.reduce(0, +)
        )
        return product / (squares.0 * squares.1).squareRoot()
    }

    @Test func `an eavesdropper on an upload learns who fell ill, the symptoms, and the times of contacts`()
        throws
    {
        let (ill, met) = (Person(1), Person(2))
        let readings = Self.readings(of: 1, receiver: 1, offsetDB: 0)
        let bytes = try ill.upload(of: met.payload(), at: Self.noon, readings)
        let read = try overheard(bytes)
        #expect(read.installation == ill.installation)
        #expect(read.symptoms == ["COUGH"])
        #expect(read.events.map(\.startSeconds) == [UInt32(Self.noon)])
        #expect(read.events.map(\.rssiValuesDBm) == [readings])
        // The upload does not name the contact, and contains neither secret.
        let text = String(decoding: bytes, as: UTF8.self)
        #expect(!text.lowercased().contains(UUIDText.text(met.installation)))
        for person in [ill, met] {
            #expect(!text.contains(Base64.text(person.secret.array)))
            #expect(!text.lowercased().contains(Hexadecimal.text(person.secret.array)))
        }
        // An attacker cannot change it on the way, either.
        var register = SonarRegister()
        var generator = SeededGenerator(seed: 3)
        let owner = register.register(at: Self.noon, using: &generator)
        let upload = SonarUpload(
            installation: owner.identifier, symptoms: ["COUGH"], symptomsSeconds: Self.noon,
            events: read.events)
        let request = try upload.request(.iOS, host: "a", at: Self.noon, secret: owner.secret)
        let louder = String(decoding: request.body, as: UTF8.self).replacing("COUGH", with: "NAUSEA")
        let changed = HTTPRequest(
            method: request.method, path: request.path, fields: request.fields, body: Array(louder.utf8))
        #expect(throws: SonarRequestRefusal.notSigned) { try SonarUpload(changed, from: register) }
    }

    /// Phones store any 129 bytes that they read, and upload numbers of them with a sign.
    @Test(arguments: [
        ("\"encryptedRemoteContactId\":\"", "\"encryptedRemoteContactId\":\"AAAA", 4, "invalidPublicKey"),
        ("\"transmissionTime\":", "\"transmissionTime\":-2000000000,\"was\":", 0, "outsideValidity"),
        ("\"countryCode\":", "\"countryCode\":-2,\"was\":", 0, "otherCountry"),
    ])
    func `what a stranger has served voids no other contact of the upload`(
        old: String, new: String, dropped: Int, refusal: String
    ) throws {
        var register = SonarRegister()
        var generator = SeededGenerator(seed: 4)
        let met = register.register(at: Self.noon, using: &generator)
        let owner = register.register(at: Self.noon, using: &generator)
        let key = try SonarResolver(scalar: Self.authority, entropy: .system).publicKey
        var maker = SonarMaker(
            SonarRegistration(installation: met.identifier, secret: met.secret, authorityKey: key),
            txPowerDBm: -7, entropy: .system)
        let payload = try Sonar.identity(at: Self.noon, by: &maker).identity
        let contact = SonarContactEvent(
            payload: payload, startSeconds: UInt32(Self.noon), durationSeconds: 16,
            rssiValuesDBm: [-60, -61, -62], rssiIntervalsSeconds: [0, 20, -4])
        let upload = SonarUpload(
            installation: owner.identifier, symptoms: ["COUGH"], symptomsSeconds: Self.noon,
            events: [contact, contact])
        var body = upload.body(.iOS)
        let place = try #require(body.firstRange(of: old))
        let rest = body[place.upperBound...].dropFirst(dropped)
        body = body[..<place.lowerBound] + new + rest
        let read = try SonarUpload(body: Array(body.utf8))
        var resolver = try SonarBulkResolver(scalar: Self.authority)
        let contacts = SonarContact.resolve(read, in: register, by: &resolver)
        #expect(contacts.map { $0.refusal?.description } == [refusal, nil])
        #expect(contacts.last?.installation == met)
        #expect(contacts.last?.event?.rssiIntervalsSeconds == [0, 20, -4])
    }

    @Test func `among many uploads, matching signal strengths reveal the pairs that met, without any key`()
        throws
    {
        // Ten pairs that met at the same time, so that times do not distinguish them.
        let pairs = try (0..<10).map { number -> (first: SonarUpload, second: SonarUpload) in
            let (first, second) = (Person(UInt64(10 + number)), Person(UInt64(100 + number)))
            let meeting = UInt64(500 + number)
            return (
                try overheard(
                    first.upload(
                        of: second.payload(), at: Self.noon,
                        Self.readings(of: meeting, receiver: meeting * 2, offsetDB: 0))),
                try overheard(
                    second.upload(
                        of: first.payload(), at: Self.noon,
                        Self.readings(of: meeting, receiver: meeting * 2 + 1, offsetDB: -9)))
            )
        }
        for (number, pair) in pairs.enumerated() {
            let own = pair.first.events[0].rssiValuesDBm
            let similar = pairs.map { correlation(own, $0.second.events[0].rssiValuesDBm) }
            let best = similar.indices.max { similar[$0] < similar[$1] }
            #expect(best == number, "\(similar)")
            // The encrypted values alone would not have revealed it.
            #expect(pair.first.events[0].payload.broadcast != pair.second.events[0].payload.broadcast)
        }
    }
}
