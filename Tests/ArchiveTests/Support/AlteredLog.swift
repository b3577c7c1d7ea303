import Archive
import EncounterLog
import FlashSimulator
import TestSupport
import Testing

/// A log of three boots over several segments, which tests alter on its way to the archive.
struct AlteredLog {
    static let trackCount = 80

    let board: SealedBoard
    let ownerKey: TestKey
    let archive: Archive
    let geometry: FlashGeometry
    let victimIndex: Int

    init() throws {
        board = try SealedBoard()
        ownerKey = try TestKey()
        for boot in 1...3 as ClosedRange<UInt64> {
            try board.run(
                boot: boot, sealedFor: ownerKey.publicHalf,
                entries: TestLog.entries(boot: boot, trackCount: Self.trackCount))
        }
        archive = try Archive(inMemoryNamed: "test")
        geometry = board.medium.geometry
        let segments = board.segments
        victimIndex = try #require(
            segments.indices.dropFirst().first { index in
                let around = segments[index...].prefix(2).compactMap {
                    SegmentHeader(pageStart: $0.bytes.span)
                }
                return around.map(\.bootIdentifier) == [2, 2] && around[1].predecessor?.isAtLeast == false
            })
    }

    typealias Change = (_ ordinal: UInt32, _ bytes: inout [UInt8]) -> Void

    /// Fetches the log with a change and without some segments, then verifies it, with the owner key or not.
    func verify(
        withKey: Bool = true, leavingOut: (UInt32) -> Bool = { _ in false }, _ change: Change = { _, _ in }
    ) throws -> LogVerification {
        try board.fetch(into: archive, signsEnd: false, changing: change, leavingOut: leavingOut)
        return try archive.verify(board.identity, keys: withKey ? ownerKey.ownerKey : .none)
    }

    /// Fetches the log without some segments, records these manifests, and verifies it without the owner key.
    func verify(_ manifests: [StoredManifest], leavingOut: (UInt32) -> Bool = { _ in false }) throws
        -> LogVerification
    {
        try board.fetch(into: archive, signsEnd: false, leavingOut: leavingOut)
        for manifest in manifests { try archive.record(manifest, of: board.identity) }
        return try archive.verify(board.identity)
    }

    /// A segment in the middle, all of whose pages belong to one boot, as do those of the next segment.
    var victim: FetchedSegment { board.segments[victimIndex] }

    var pages: [PageForge.Place] { PageForge.pages(of: victim.bytes, ordinal: victim.ordinal, geometry) }

    /// A change of the victim's bytes only.
    func inVictim(_ change: @escaping (inout [UInt8]) -> Void) -> Change {
        { ordinal, bytes in if ordinal == victim.ordinal { change(&bytes) } }
    }

    /// The manifest that the board would sign with this end of its log.
    func manifest(_ head: LogHead, oldest: UInt32 = 0, by key: TestKey? = nil) throws
        -> StoredManifest
    {
        try StoredManifest(head, oldest: oldest, of: board.identity, by: key ?? board.key)
    }
}

/// The kinds of the findings of at least this severity. Without a manifest the last pages of each log are
/// not signed, so this finding does not count.
func kinds(_ result: LogVerification, from severity: LogFinding.Severity = .gap) -> [LogFinding.Kind] {
    result.findings.filter { $0.severity >= severity && $0.kind != .unsignedEnd }.map(\.kind)
}
