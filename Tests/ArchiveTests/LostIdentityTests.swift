import EncounterLog
import FixedMemory
import TestSupport
import Testing

@testable import Archive

/// A page that contains peers' identities is damaged, and later pages refer to it.
@Suite struct LostIdentityTests {
    private static let geometry = FlashGeometry(blockByteCount: 512, blocksPerSegment: 4, segmentCount: 16)

    /// Alternating encounters with two peers, two per page; returns the bytes of each segment.
    private static func segments() throws -> [[UInt8]] {
        guard let geometry else { preconditionFailure("the geometry is within its bounds") }
        var identity = Bytes<16>()
        for index in 0..<16 { identity[index] = UInt8(index + 1) }
        var log = try EncounterLog(
            mounting: MemoryFlash(geometry), newLogIdentity: identity, bootIdentifier: 1)
        for number in 1...12 as ClosedRange<UInt32> {
            let time = Instant(milliseconds: UInt64(number) * 10_000)
            let said = EncounterIdentifiedEntry(
                encounter: number, instant: time, scheme: SchemeCode(.herald),
                identity: FixedBuffer(peer(of: number).payload.span) ?? FixedBuffer())
            let closed = EncounterClosedEntry(encounter: number, instant: time + 5_000, readings: 9)
            for entry in [LogEntry.encounterIdentified(said), .encounterClosed(closed)] {
                try log.append(entry, now: time)
            }
            if number % 2 == 0 { try log.commit() }
        }
        return try (0..<log.retainedSegmentCount).compactMap { index in
            guard let segment = log.retainedSegment(at: index) else { return nil }
            var bytes = [UInt8](repeating: 0, count: segment.byteCount)
            var span = bytes.mutableSpan
            _ = try log.read(segment: segment.ordinal, offset: 0, into: &span)
            return bytes
        }
    }

    private static func peer(of number: UInt32) -> Identity {
        Identity(
            scheme: SchemeCode(.herald),
            payload: [0x10, 0, 1] + [UInt8](repeating: UInt8(number % 2), count: 20))
    }

    /// The identity of each encounter in an archive that received these segments in this order.
    private func identities(_ segments: [[UInt8]], given ordinals: [Int]) throws -> [UInt32: Identity] {
        let archive = try Archive(inMemoryNamed: "lost", admitting: .unverified)
        try archive.register(.test, blockByteCount: 512)
        for ordinal in ordinals {
            try archive.append(segments[ordinal], at: 0, segment: UInt32(ordinal), of: .test)
            try archive.decodePages(of: .test)
        }
        let tracks = try archive.history(of: .test).boots.flatMap(\.tracks)
        return Dictionary(
            tracks.compactMap { track in track.identifications.first.map { (track.number, $0.identity) } },
            uniquingKeysWith: { first, _ in first })
    }

    /// The first page was written by formatting; the page after it contains both identities.
    private func damaged() throws -> [[UInt8]] {
        var segments = try Self.segments()
        #expect(segments.count == 2)
        segments[0][512 + 40] ^= 1
        return segments
    }

    @Test func `an undamaged log loses no identity`() throws {
        let identities = try identities(Self.segments(), given: [0, 1])
        #expect(identities == Dictionary(uniqueKeysWithValues: (1...12).map { ($0, Self.peer(of: $0)) }))
    }

    @Test func `a lost identity is reported as lost, and its encounters still belong together`() throws {
        let identities = try identities(damaged(), given: [0])
        #expect(identities.keys.sorted() == [3, 4, 5, 6])
        for (number, identity) in identities {
            #expect(identity == Identity(lost: Self.peer(of: number).hash, scheme: SchemeCode(.herald)))
            #expect(identity.label.hasPrefix("herald, identity lost ("))
            #expect(!identity.namesSomeone)
        }
    }

    @Test(arguments: [[0, 1], [1, 0]]) func `an identity that is lost in one segment is found in another`(
        order: [Int]
    ) throws {
        let identities = try identities(damaged(), given: order)
        #expect(identities == Dictionary(uniqueKeysWithValues: (3...12).map { ($0, Self.peer(of: $0)) }))
    }
}
