import FixedMemory
import FlashSimulator
import Schemes
import TestSupport
import Testing

@testable import EncounterLog

/// An identity appears once in a segment; later entries refer to it.
@Suite struct IdentityReferenceTests {
    private let geometry = FlashGeometry.blocks(of: 1_024, perSegment: 4, segments: 16)

    /// The identification of an encounter with one of `peers` peers.
    private func met(_ encounter: Int, of peers: Int = 3, byteCount: Int = 40) -> LogEntry {
        let peer = encounter % peers
        var identity = [UInt8](repeating: UInt8(truncatingIfNeeded: peer), count: byteCount)
        identity[0] = UInt8(peer / 256)
        return .encounterIdentified(
            EncounterIdentifiedEntry(
                encounter: UInt32(encounter), instant: Instant(milliseconds: UInt64(encounter)),
                scheme: SchemeCode(.herald), identity: FixedBuffer(identity.span) ?? FixedBuffer()))
    }

    private func append(
        _ encounters: Range<Int>, to log: inout EncounterLog<SimulatedFlash>, perPage: Int = 4
    ) throws {
        for encounter in encounters {
            try log.append(met(encounter), now: 0)
            if encounter % perPage == perPage - 1 { try log.commit() }
        }
        try log.commit()
    }

    /// The entries in the pages, with references unresolved.
    private func written(_ medium: SimulatedMedium) -> [(position: LogPosition, entry: LogEntry)] {
        var list: [(LogPosition, LogEntry)] = []
        for page in ReadPages.pages(ofMedium: medium.bytes, geometry: medium.geometry) {
            let slot = Int(page.position.segmentOrdinal) % medium.geometry.segmentCount
            let start = slot * medium.geometry.segmentByteCount + Int(page.position.byteOffset)
            let bytes = Array(medium.bytes[start..<start + page.byteCount])
            guard let page = try? LogPage(bytes.span, at: page.position) else { continue }
            var entries = page.entries
            while let entry = try? entries.next() { list.append((page.position, entry)) }
        }
        return list
    }

    private func identities(in segment: UInt32, of medium: SimulatedMedium) -> [LogEntry] {
        written(medium).filter { $0.position.segmentOrdinal == segment }.map(\.entry).filter {
            if case .encounterIdentified = $0 { true } else { false }
        }
    }

    @Test func `an identity appears once, and later encounters refer to it`() throws {
        let medium = SimulatedMedium(geometry)
        var log = try mount(medium)
        try append(0..<9, to: &log)
        #expect(
            written(medium).map(\.entry.kind) == [
                .encounterIdentified, .encounterIdentified, .encounterIdentified,
            ]
                + Array(repeating: .identityReference, count: 6))
        #expect(try ReadLog(&log).entries == (0..<9).map { met($0) })
    }

    @Test func `an identity with marks is written each time`() throws {
        let medium = SimulatedMedium(geometry)
        var log = try mount(medium)
        var marked = met(0)
        if case .encounterIdentified(var entry) = marked {
            entry.marks = .written
            marked = .encounterIdentified(entry)
        }
        let entries = [met(0), marked, marked, met(0)]
        for entry in entries { try log.append(entry, now: 0) }
        try log.commit()
        #expect(
            written(medium).map(\.entry.kind) == [
                .encounterIdentified, .encounterIdentified, .encounterIdentified, .identityReference,
            ])
        #expect(try ReadLog(&log).entries == entries)
    }

    @Test func `each segment can be read alone`() throws {
        let medium = SimulatedMedium(geometry)
        var log = try mount(medium)
        try append(0..<100, to: &log)
        #expect(log.retainedSegmentCount > 4)
        for index in 0..<log.retainedSegmentCount {
            guard let segment = log.retainedSegment(at: index) else { continue }
            let read = ReadPages(
                segment: try log.bytes(of: segment), ordinal: segment.ordinal, geometry: geometry)
            #expect(!read.entries.isEmpty)
            #expect(read.entries.allSatisfy { $0.kind == .encounterIdentified })
            #expect(identities(in: segment.ordinal, of: medium).count == 3)
        }
        #expect(try ReadLog(&log).entries == (0..<100).map { met($0) })
    }

    @Test func `an identity is written again after the agent restarts`() throws {
        let medium = SimulatedMedium(geometry)
        var log = try mount(medium)
        try append(0..<6, to: &log)
        medium.willBeMounted()
        log = try mount(medium, boot: 2)
        try append(6..<12, to: &log, perPage: 6)
        #expect(identities(in: 0, of: medium).count == 6)
        #expect(try ReadLog(&log).entries == (0..<12).map { met($0) })
    }

    @Test func `after a change of keys the new key's reader finds each identity`() throws {
        let keys = [try OwnerKeyPair(), try OwnerKeyPair()]
        let medium = SimulatedMedium(geometry)
        var log = try EncounterLog(
            mounting: SimulatedFlash(medium), newLogIdentity: testIdentity, bootIdentifier: 1,
            seal: keys[0].seal())
        try append(0..<6, to: &log)
        try log.reseal(keys[1].seal())
        while log.hasWork { try log.prepareEpoch() }
        try append(6..<12, to: &log, perPage: 6)
        let before = try ReadLog(&log, keys: [keys[0]]).entries
        let behind = try ReadLog(&log, keys: [keys[1]]).entries
        #expect(before + behind == (0..<12).map { met($0) })
        #expect(!before.isEmpty && !behind.isEmpty)
    }

    @Test(arguments: [false, true]) func `no entry refers to a page whose write failed`(lands: Bool) throws {
        for failing in 0..<12 {
            let medium = SimulatedMedium(geometry)
            var log = try mount(medium)
            medium.programFails = { $0 == failing }
            medium.failingProgramLands = lands
            try append(0..<40, to: &log)
            // Nothing may depend on a page that landed although its program reported failure.
            for block in [failing] where lands {
                medium.bytes.replaceSubrange(
                    medium.range(ofBlock: block), with: repeatElement(0, count: 1_024))
            }
            let encounters = try ReadLog(&log).entries.filter { $0.kind == .encounterIdentified }
            #expect(encounters == (0..<40).map { met($0) }, "block \(failing)")
        }
    }

    @Test func `a lost page never turns one peer into another`() throws {
        for lost in 1..<4 {
            let medium = SimulatedMedium(geometry)
            var log = try mount(medium)
            try append(0..<12, to: &log)
            medium.bytes[medium.range(ofBlock: lost).lowerBound + 40] ^= 1
            let image = ReadPages(
                slot: Array(medium.bytes[0..<geometry.segmentByteCount]), geometry: geometry)
            let entries = image?.entries ?? []
            #expect(entries.count == 8)
            for entry in entries where entry.kind == .encounterIdentified {
                guard case .encounterIdentified(let identified) = entry else { continue }
                #expect(entry == met(Int(identified.encounter)))
            }
            // The first page has all three identities. Without it the references still show which encounters
            // had the same peer.
            let references = entries.compactMap(\.reference)
            #expect(references.count == (lost == 1 ? 8 : 0))
            for reference in references {
                #expect(reference == Self.reference(to: met(Int(reference.encounter))))
            }
        }
    }

    @Test func `an identity in a later page of the segment is found, too`() throws {
        let medium = SimulatedMedium(geometry)
        do {
            var log = try mount(medium)
            try append(0..<6, to: &log)
        }
        var log = try mount(medium, boot: 2)
        try append(6..<9, to: &log, perPage: 20)
        medium.bytes[medium.range(ofBlock: 1).lowerBound + 40] ^= 1
        let image = ReadPages(slot: Array(medium.bytes[0..<geometry.segmentByteCount]), geometry: geometry)
        #expect(image?.entries == (4..<9).map { met($0) })
    }

    @Test func `identities beyond the table's capacity are written again, oldest first`() throws {
        let medium = SimulatedMedium(.blocks(of: 4_096, perSegment: 64, segments: 4))
        var log = try mount(medium)
        let entries = (0..<1_500).map { met($0, of: 300) }
        for entry in entries { try log.append(entry, now: 0) }
        try log.commit()
        #expect(try ReadLog(&log).entries == entries)
        #expect(identities(in: 0, of: medium).count == 1_500)
        for encounter in 1_600..<2_000 { try log.append(met(encounter, of: 200), now: 0) }
        try log.commit()
        #expect(identities(in: 0, of: medium).count < 1_800)
    }

    @Test func `a short identity is not replaced by a longer reference`() throws {
        let medium = SimulatedMedium(geometry)
        var log = try mount(medium)
        for encounter in 0..<6 { try log.append(met(encounter, of: 1, byteCount: 7), now: 0) }
        try log.commit()
        #expect(written(medium).allSatisfy { $0.entry.kind == .encounterIdentified })
        #expect(try ReadLog(&log).entries == (0..<6).map { met($0, of: 1, byteCount: 7) })
    }

    /// The bytes are those of docs/log-format.md.
    @Test func `a reference is encoded as documented`() throws {
        var identity = FixedBuffer<512>()
        for byte in [0x10, 1, 2, 3] as [UInt8] { try identity.append(byte) }
        let entry = LogEntry.identityReference(
            IdentityReferenceEntry(
                encounter: 300, instant: 1_000, scheme: SchemeCode(.herald),
                hash: IdentityHash(scheme: SchemeCode(.herald), identity: identity)))
        #expect(
            encoded(entry) == [0x12, 13, 0xac, 2, 0xe8, 7, 1] + [
                0xeb, 0x75, 0xdd, 0x81, 0xea, 0x6d, 0x4e, 0x8a,
            ])
    }

    @Test func `equal bytes in different schemes are different identities`() throws {
        let medium = SimulatedMedium(geometry)
        var log = try mount(medium)
        let entries = [SchemeID.herald, .sonar, .herald].map(SchemeCode.init).enumerated().map {
            number, scheme in
            guard case .encounterIdentified(var entry) = met(number, of: 1) else { return met(number) }
            entry.scheme = scheme
            return LogEntry.encounterIdentified(entry)
        }
        for entry in entries { try log.append(entry, now: 0) }
        try log.commit()
        #expect(
            written(medium).map(\.entry.kind) == [
                .encounterIdentified, .encounterIdentified, .identityReference,
            ])
        #expect(try ReadLog(&log).entries == entries)
    }

    private static func reference(to entry: LogEntry) -> IdentityReferenceEntry? {
        guard case .encounterIdentified(let entry) = entry else { return nil }
        return IdentityReferenceEntry(
            encounter: entry.encounter, instant: entry.instant,
            scheme: entry.scheme, hash: IdentityHash(scheme: entry.scheme, identity: entry.identity))
    }
}

extension LogEntry {
    fileprivate var reference: IdentityReferenceEntry? {
        if case .identityReference(let entry) = self { entry } else { nil }
    }
}
