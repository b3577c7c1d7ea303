import Archive
import Cryptography
import DeviceSync
import EncounterLog
import FixedMemory
import FlashSimulator
import LogContents
import Schemes

/// A board whose log a courier carries: two boots with contacts, and what the board signs after each.
final class CourierBoard {
    static let geometry: FlashGeometry = {
        guard
            let geometry = FlashGeometry(
                unitByteCount: 16, blockByteCount: 1_024, blocksPerSegment: 4, segmentCount: 64)
        else { preconditionFailure("not a geometry") }
        return geometry
    }()
    /// 2026-11-21T12:00:00Z
    static let noon: WallClockTime = 1_795_262_400_000

    let identity: LogIdentity
    let key: P256PrivateKey.Scalar
    let publicKey: Bytes<65>
    /// The segments and the signed manifest after each boot.
    private(set) var fetches: [(segments: [FetchedSegment], head: LogHead, manifest: StoredManifest)] = []

    /// - Parameter owner: the key that pages are encrypted for; nil leaves them in clear.
    init(_ firstByte: UInt8, owner: P256PublicKey?, trackCount: UInt32 = 150) throws {
        let pair = try P256PrivateKey(entropy: .system)
        key = try P256PrivateKey.Scalar(pair.scalarBytes())
        publicKey = pair.publicKey.x963
        let bytes = (0..<16).map { firstByte &+ $0 }
        guard let identity = LogIdentity(bytes), let name = Bytes<16>(bytes.span) else {
            preconditionFailure("16 bytes are an identity")
        }
        self.identity = identity
        let medium = SimulatedMedium(Self.geometry)
        for boot in 1...2 as ClosedRange<UInt64> {
            medium.willBeMounted()
            var log = try Self.mount(medium, name, boot, owner, key)
            for (index, entry) in Self.entries(boot: boot, trackCount: trackCount).enumerated() {
                try log.append(entry, now: 0)
                if index % 24 == 23 { try log.commit() }
            }
            try log.commit()
            let segments = try FetchedSegment.all(of: &log)
            fetches.append((segments, log.head, try Self.manifest(log.head, boot, name, key, publicKey)))
        }
    }

    private static func mount(
        _ medium: SimulatedMedium, _ name: Bytes<16>, _ boot: UInt64, _ owner: P256PublicKey?,
        _ key: P256PrivateKey.Scalar
    ) throws -> EncounterLog<SimulatedFlash> {
        guard let owner else {
            return try EncounterLog(
                mounting: SimulatedFlash(medium), newLogIdentity: name, bootIdentifier: boot)
        }
        let seal = LogSeal(ownerKey: owner, boardScalar: key.bytes, entropy: .system)
        return try EncounterLog(
            mounting: SimulatedFlash(medium), newLogIdentity: name, bootIdentifier: boot, seal: seal)
    }

    static func manifest(
        _ head: LogHead, _ boot: UInt64, _ name: Bytes<16>, _ key: P256PrivateKey.Scalar,
        _ publicKey: Bytes<65>, oldest: UInt32 = 0
    ) throws -> StoredManifest {
        var statement = LogStatement()
        statement.logIdentity = name
        statement.bootIdentifier = boot
        statement.head = SyncPosition(
            segmentOrdinal: head.position.segmentOrdinal, byteOffset: head.position.byteOffset)
        statement.chainValue = head.chainValue
        statement.oldestSegmentOrdinal = oldest
        statement.instant = .start + .minutes(200)
        let bytes = [UInt8](copying: statement.encoded.span)
        var signer = try P256PrivateKey(scalar: key.bytes, entropy: .system)
        return StoredManifest(
            statement: bytes,
            signature: try signer.sign(digest: LogStatement.digest(of: bytes.span), entropy: .system),
            boardKey: publicKey, receivedAt: noon + .hours(boot))
    }

    /// Fetches what the board had after a boot.
    func fetch(_ number: Int, into archive: Archive, keys: OwnerKeys) throws {
        try archive.register(
            identity, blockByteCount: Self.geometry.blockByteCount,
            unitByteCount: Self.geometry.unitByteCount)
        try archive.record(
            StoredBoardKey(
                BoardKeyring(publicKey: publicKey, ownerFingerprint: nil, operatorFingerprint: nil),
                isVouched: true, shownAt: Self.noon), of: identity)
        let fetch = fetches[number]
        try archive.record(fetch.manifest, of: identity)
        for segment in fetch.segments {
            try archive.append(segment.bytes, at: 0, segment: segment.ordinal, of: identity)
        }
        try archive.record(
            Anchor(
                instant: .start + .minutes(200),
                wallClock: Self.noon + .hours(6 * (UInt64(number) + 1)) + .minutes(200),
                error: 500, source: .host),
            boot: UInt64(number) + 1, of: identity)
        try archive.decodePages(of: identity, keys: keys)
    }

    // MARK: Entries

    static func entries(boot: UInt64, trackCount: UInt32) -> [LogEntry] {
        var entries: [LogEntry] = [
            .boot(
                BootEntry(
                    bootIdentifier: boot, instant: 500, softwareVersion: Bytes(), sampleLength: 8_000,
                    encounterTimeout: 30_000, lossWindow: 30_000, role: .beacon)),
            .anchor(
                AnchorEntry(
                    instant: 0, wallClock: noon + .hours(6 * boot), errorMilliseconds: 25,
                    source: .systemClock)),
            ownKey(UInt8(boot)),
        ]
        for number in 1...trackCount {
            entries += contact(number, identity: UInt8(truncatingIfNeeded: number))
        }
        return entries
    }

    static func ownKey(_ byte: UInt8) -> LogEntry {
        let bytes = [UInt8](repeating: byte, count: 32)
        return .ownKey(
            OwnKeyEntry(
                instant: 700, scheme: SchemeCode(.herald), firstPeriod: UInt32(noon.days), periodCount: 56,
                key: FixedBuffer<32>(bytes.span) ?? FixedBuffer()))
    }

    static func contact(_ number: UInt32, identity byte: UInt8) -> [LogEntry] {
        let start = Instant(milliseconds: UInt64(number) * 60_000)
        let payload = [UInt8](repeating: byte, count: 21)
        var address = Bytes<6>()
        address[0] = byte
        return [
            .encounterOpened(
                EncounterOpenedEntry(
                    encounter: number, instant: start, address: address, addressType: 1,
                    foundBy: .heraldService)),
            .encounterIdentified(
                EncounterIdentifiedEntry(
                    encounter: number, instant: start + 300, scheme: SchemeCode(.herald),
                    identity: FixedBuffer<512>(payload.span) ?? FixedBuffer())),
            .sample(
                SampleEntry(
                    encounter: number, start: start, end: start + 7_000, readings: 20,
                    minimumRSSIDBm: -80, maximumRSSIDBm: -60, meanRSSITenthsDBm: -705)),
            .encounterClosed(EncounterClosedEntry(encounter: number, instant: start + 7_000, readings: 20)),
        ]
    }
}

extension P256PrivateKey {
    /// The private number, which outlives the key.
    struct Scalar {
        let bytes: Bytes<32>

        init(_ bytes: Bytes<32>) { self.bytes = bytes }
    }
}
