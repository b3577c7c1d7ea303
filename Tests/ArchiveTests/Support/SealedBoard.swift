import Archive
import Cryptography
import EncounterLog
import FixedMemory
import FlashSimulator
import LogContents

/// A pair of keys, fresh from the system's generator.
struct TestKey {
    let scalar: Bytes<32>
    let publicHalf: P256PublicKey

    init() throws {
        let key = try P256PrivateKey(entropy: .system)
        scalar = try key.scalarBytes()
        publicHalf = key.publicKey
    }

    var opening: OpeningKeys { get throws { try OpeningKeys(scalars: [scalar]) } }
}

/// A board that seals its log, its medium, and what a host would fetch from it.
final class SealedBoard {
    let medium: SimulatedMedium
    /// Of the board itself.
    private(set) var key: TestKey
    let firstIdentityByte: UInt8
    private(set) var segments: [FetchedSegment] = []
    private(set) var head = LogHead()

    /// - Parameters:
    ///   - firstIdentityByte: tells boards apart.
    ///   - unitByteCount: 1,024 for a medium whose blocks are overwritten.
    init(
        key: TestKey? = nil, firstIdentityByte: UInt8 = 1, segmentCount: Int = 32, unitByteCount: Int = 16
    ) throws {
        guard
            let geometry = FlashGeometry(
                unitByteCount: unitByteCount, blockByteCount: 1_024, blocksPerSegment: 8,
                segmentCount: segmentCount)
        else { preconditionFailure("the geometry is within its bounds") }
        medium = SimulatedMedium(geometry)
        self.key = try key ?? TestKey()
        self.firstIdentityByte = firstIdentityByte
    }

    var identity: LogIdentity {
        guard let identity = LogIdentity((0..<16).map { firstIdentityByte &+ $0 }) else {
            preconditionFailure("16 bytes are an identity")
        }
        return identity
    }

    /// Its keys file is lost, so it makes itself a key at its next start.
    func loseKey() throws { key = try TestKey() }

    /// Its key, as an archive keeps it.
    func shownKey(isVouched: Bool) -> StoredBoardKey {
        StoredBoardKey(
            BoardKeyring(publicKey: key.publicHalf.x963, openingFingerprint: nil, operatorFingerprint: nil),
            isVouched: isVouched, shownWallClockMilliseconds: noon)
    }

    /// One start of the agent.
    ///
    /// - Parameters:
    ///   - opening: whom pages are sealed for; nil leaves them in clear.
    ///   - commitsEach: a page for each entry, rather than full ones.
    func run(
        boot: UInt64, sealedFor opening: P256PublicKey?, entries: [LogEntry], commitsEach: Bool = false
    ) throws {
        try run(
            boot: boot, sealedFor: opening, day: entries.map { ($0.testMilliseconds, $0) },
            commitWindowMilliseconds: commitsEach ? 0 : .max)
    }

    /// Entries as time goes by: what has waited so long is committed.
    func run(
        boot: UInt64, sealedFor opening: P256PublicKey?,
        day entries: [(milliseconds: UInt64, entry: LogEntry)], commitWindowMilliseconds: UInt64 = 30_000
    ) throws {
        medium.willBeMounted()
        var identity = Bytes<16>()
        for index in 0..<16 { identity[index] = firstIdentityByte &+ UInt8(index) }
        var log = try Self.mount(medium, identity, boot, opening, key)
        for (now, entry) in entries {
            try log.append(entry, nowMilliseconds: now)
            if let gap = log.takeGap(nowMilliseconds: now) {
                try log.append(.gap(gap), nowMilliseconds: now)
            }
            let waited = log.oldestOpenEntryMilliseconds.map { now - min($0, now) } ?? 0
            if waited >= commitWindowMilliseconds { try log.commit() }
        }
        try log.commit()
        while let gap = log.takeGap(nowMilliseconds: entries.last?.milliseconds ?? 0) {
            try log.append(.gap(gap), nowMilliseconds: entries.last?.milliseconds ?? 0)
            try log.commit()
        }
        head = log.head
        segments = try FetchedSegment.all(of: &log)
    }

    private static func mount(
        _ medium: SimulatedMedium, _ identity: Bytes<16>, _ boot: UInt64, _ opening: P256PublicKey?,
        _ key: TestKey
    ) throws -> EncounterLog<SimulatedFlash> {
        guard let opening else {
            return try EncounterLog(
                mounting: SimulatedFlash(medium), newLogIdentity: identity, bootIdentifier: boot)
        }
        let seal = LogSeal(openingKey: opening, boardScalar: key.scalar, entropy: .system)
        return try EncounterLog(
            mounting: SimulatedFlash(medium), newLogIdentity: identity, bootIdentifier: boot, seal: seal)
    }

    /// Into an archive that knows the board's key.
    func fetch(
        into archive: Archive, changing: (UInt32, inout [UInt8]) -> Void = { _, _ in },
        leavingOut: (UInt32) -> Bool = { _ in false }
    ) throws {
        let geometry = medium.geometry
        try archive.register(
            identity, blockByteCount: geometry.blockByteCount, unitByteCount: geometry.unitByteCount)
        try archive.record(shownKey(isVouched: true), of: identity)
        for segment in segments where !leavingOut(segment.ordinal) {
            var bytes = segment.bytes
            changing(segment.ordinal, &bytes)
            try archive.append(bytes, at: 0, segment: segment.ordinal, of: identity)
            if segment.isClosed {
                try archive.close(segment: segment.ordinal, of: identity, isVerified: true)
            }
        }
    }
}

extension LogEntry {
    /// When a board would have appended it.
    fileprivate var testMilliseconds: UInt64 {
        switch self {
        case .boot(let entry): entry.monotonicMilliseconds
        case .encounterOpened(let entry): entry.monotonicMilliseconds
        case .encounterClosed(let entry): entry.monotonicMilliseconds
        case .sample(let entry): entry.endMilliseconds
        case .coverage(let entry): entry.endMilliseconds
        default: 1_000
        }
    }
}
