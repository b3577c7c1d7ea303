import Cryptography
import FixedMemory
import Foundation
import Matching
import Schemes
import TestSupport

/// The input of both programs, made from a seed. It is in a file, so that they need not generate it alike.
///
/// Little-endian, without gaps: the six counts, u32 each; then
///
///     keys             data, 16 bytes · first interval u32 · number of intervals u32
///     heard            identifier, 16 bytes · seconds since 1970, u64
///     Herald's days    days since 1970, u32 · key, 32 bytes
///     CovidTracer's    root, 32 bytes · days since 1970, u32
///     authority        private number, 32 bytes
///     installations    number, 16 bytes · secret, 32 bytes
///     payloads         129 bytes · read at, seconds since 1970, u64
struct SchemeInput {
    static let keyCount = 20_000
    static let heardCount = 100_000
    static let heraldDayCount = 2_000
    static let rootCount = 20_000
    static let installationCount = 1_000
    static let payloadCount = 2_000
    /// 2020-05-07
    private static let today: UInt32 = 18_389

    private(set) var keys: [TemporaryExposureKey] = []
    private(set) var heard: [HeardIdentifier] = []
    private(set) var heraldDays: [HeraldMatchingKey] = []
    private(set) var roots: [(key: CovidTracerRootKey, date: CalendarDate)] = []
    let authority: Bytes<32>
    private(set) var installations: [(number: Bytes<16>, secret: Bytes<32>)] = []
    private(set) var payloads: [(bytes: [UInt8], observedAt: UInt64)] = []

    init(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        authority = generator.block()
        for _ in 0..<Self.keyCount {
            let day = Self.today - UInt32.random(in: 1...14, using: &generator)
            keys.append(
                try TemporaryExposureKey(
                    data: generator.block(), rollingStart: ExposureNotificationInterval(number: day * 144)))
        }
        try hear(&generator)
        for _ in 0..<Self.heraldDayCount {
            heraldDays.append(HeraldMatchingKey(daysSince1970: Self.today, key: generator.block()))
        }
        for _ in 0..<Self.rootCount {
            let day = Self.today - UInt32.random(in: 1...14, using: &generator)
            roots.append((CovidTracerRootKey(generator.block()), CalendarDate(daysSince1970: day)))
        }
        for _ in 0..<Self.installationCount {
            installations.append((generator.block(), generator.block()))
        }
        try read(&generator)
    }

    /// Makes mostly identifiers of no key. Every hundredth key has one identifier, and every other of these
    /// is too late to count.
    private mutating func hear(_ generator: inout SeededGenerator) throws {
        var expander = try ExposureKeyExpander()
        for index in 0..<Self.heardCount {
            let key = keys[index % Self.keyCount]
            var identifier = RollingProximityIdentifier(generator.block())
            var seconds = key.rollingStart.startSeconds + UInt64.random(in: 0..<86_400, using: &generator)
            if index < Self.keyCount, index % 100 == 0 {
                let place = Int.random(in: 0..<144, using: &generator)
                try expander.expand(key)
                identifier = expander.identifiers[place]
                seconds =
                    key.rollingStart.startSeconds + UInt64(place) * 600 + (index % 200 == 0 ? 60 : 9_000)
            }
            heard.append(HeardIdentifier(identifier, at: seconds))
        }
    }

    /// Makes each payload from another installation; every tenth is read too late.
    private mutating func read(_ generator: inout SeededGenerator) throws {
        let resolver = try SonarResolver(scalar: authority, entropy: .system)
        for index in 0..<Self.payloadCount {
            let installation = installations[index % Self.installationCount]
            var maker = SonarMaker(
                SonarRegistration(
                    installation: installation.number, secret: installation.secret,
                    authorityKey: resolver.publicKey), txPowerDBm: -7, entropy: .system)
            let seconds = UInt64(Self.today) * 86_400 + UInt64.random(in: 3_600..<80_000, using: &generator)
            let payload = try Sonar.identity(at: seconds, by: &maker).identity
            payloads.append(
                (
                    payload.encoded.span.indices.map { payload.encoded[$0] },
                    seconds + (index % 10 == 0 ? 900 : 5)
                ))
        }
    }

    var file: Data {
        var file = Data()
        for count in [
            keys.count, heard.count, heraldDays.count, roots.count, installations.count, payloads.count,
        ] { file.append(littleEndian: UInt32(count)) }
        for key in keys {
            file.append(block: key.data)
            file.append(littleEndian: key.rollingStart.number)
            file.append(littleEndian: key.rollingPeriod)
        }
        for one in heard {
            file.append(block: one.identifier.bytes)
            file.append(littleEndian: one.unixSeconds)
        }
        for day in heraldDays {
            file.append(littleEndian: day.daysSince1970)
            file.append(block: day.key)
        }
        for root in roots {
            file.append(block: root.key.bytes)
            file.append(littleEndian: root.date.daysSince1970)
        }
        file.append(block: authority)
        for installation in installations {
            file.append(block: installation.number)
            file.append(block: installation.secret)
        }
        for payload in payloads {
            file.append(contentsOf: payload.bytes)
            file.append(littleEndian: payload.observedAt)
        }
        return file
    }
}

extension SeededGenerator {
    fileprivate mutating func block<let count: Int>() -> Bytes<count> {
        let bytes = bytes(count)
        return Bytes(bytes.span) ?? Bytes()
    }
}

extension Data {
    fileprivate mutating func append(littleEndian value: some FixedWidthInteger) {
        Swift.withUnsafeBytes(of: value.littleEndian) { append(contentsOf: $0) }
    }

    fileprivate mutating func append<let count: Int>(block: Bytes<count>) {
        Swift.withUnsafeBytes(of: block) { append(contentsOf: $0) }
    }
}
