import Cryptography
import EncounterLog
import FixedMemory
import FlashSimulator
import TestSupport
import Testing

/// Attacks by somebody who has the medium of a log in hand for a while, and not the board's keys file.
@Suite struct HolderOfTheMediumTests {
    private static let geometry: FlashGeometry = {
        guard let geometry = FlashGeometry(blockByteCount: 1_024, blocksPerSegment: 8, segmentCount: 16)
        else { preconditionFailure("not a geometry") }
        return geometry
    }()
    private let owner: OwnerKeyPair
    private let seal: LogSeal

    init() throws {
        owner = try OwnerKeyPair()
        let pair = try P256PrivateKey(entropy: .system)
        seal = LogSeal(
            ownerKey: owner.publicKey, boardScalar: try pair.scalarBytes(), boardKey: pair.publicKey,
            entropy: .system)
    }

    private typealias Log = EncounterLog<SimulatedFlash>

    /// A sealed log of some segments, the last of which has free blocks.
    private func medium(pages: Int = 20, isOverwritable: Bool = true) throws -> SimulatedMedium {
        let medium = SimulatedMedium(
            Self.geometry, filledWith: isOverwritable ? 0 : 0xff, isOverwritable: isOverwritable)
        var log = try mount(medium, boot: 1)
        for number in 0..<pages { try commit(number, to: &log) }
        return medium
    }

    private func mount(_ medium: SimulatedMedium, boot: UInt64, seal: LogSeal?? = nil) throws -> Log {
        medium.willBeMounted()
        return try Log(
            mounting: SimulatedFlash(medium), newLogIdentity: Bytes(), bootIdentifier: boot,
            seal: seal ?? self.seal)
    }

    private func commit(_ number: Int, to log: inout Log) throws(LogError) {
        let entry = EncounterClosedEntry(
            encounter: UInt32(number), instant: Instant(milliseconds: UInt64(number)), readings: 1)
        try log.append(.encounterClosed(entry), now: .start)
        try log.commit()
    }

    /// Writes a page in clear, without any key: entries, link and checksum as the board would make them.
    private func forge(
        on medium: SimulatedMedium, at position: LogPosition, after head: LogHead, flags: UInt8 = 0x04,
        syncedThrough: LogPosition = .start, header: [UInt8] = []
    ) {
        var page: [UInt8] = header + head.chainValue.bytes + [1, 0, 1, 0]
        page += PageForge.littleEndian(syncedThrough.segmentOrdinal)
        page += PageForge.littleEndian(syncedThrough.byteOffset)
        page += [7, 2, 0, 0]
        let count = page.count
        page = [0xb2, flags, UInt8(count & 255), UInt8(count >> 8), 0, 0, 0, 0] + page
        let whole = PageForge.sealed(
            page, ordinal: position.segmentOrdinal, byteOffset: Int(position.byteOffset))
        let slot = Int(position.segmentOrdinal) % Self.geometry.segmentCount
        let start = slot * Self.geometry.segmentByteCount + Int(position.byteOffset)
        medium.bytes.replaceSubrange(start..<start + whole.count, with: whole)
        let end = start + Self.geometry.blockByteCount
        for index in start + whole.count..<end { medium.bytes[index] = 0xff }
    }

    /// A segment header in clear for `ordinal`, as it stands in a page with these flags.
    private func header(of ordinal: UInt32, log: borrowing Log, contentByteCount: Int) -> [UInt8] {
        var plain: [UInt8] = [10, 10, 8, 0] + PageForge.littleEndian(16) + PageForge.littleEndian(ordinal)
        plain += [9, 0, 0, 0, 0, 0, 0, 0] + log.logIdentity.bytes
        plain += [UInt8](repeating: 0, count: 74 - plain.count)
        let page: [UInt8] = [0xb2, 0x06, UInt8(contentByteCount & 255), UInt8(contentByteCount >> 8)]
        return plain + PageForge.littleEndian(PageForge.crc32c(page + plain))
    }

    private func blockAfter(_ head: LogHead) -> LogPosition {
        let block = UInt32(Self.geometry.blockByteCount)
        return LogPosition(
            segmentOrdinal: head.position.segmentOrdinal,
            byteOffset: (head.position.byteOffset + block - 1) / block * block)
    }

    @Test(arguments: [0x04, 0x14, 0x54] as [UInt8])
    func `a holder of the medium cannot have a page in clear counted, chained or signed`(flags: UInt8) throws
    {
        let medium = try medium()
        let genuine = try mount(medium, boot: 2).head
        let end = blockAfter(genuine)
        forge(
            on: medium, at: end, after: genuine, flags: flags,
            syncedThrough: LogPosition(segmentOrdinal: end.segmentOrdinal, byteOffset: 0))
        var log = try mount(medium, boot: 3)
        #expect(log.head == genuine)
        #expect(log.syncedThrough == .start)
        let hasForeign1 = log.foundForeignPages
        #expect(hasForeign1)
        try commit(100, to: &log)
        // The forged bytes stay where they are, and the log continues behind them.
        #expect(log.head.position > end)
        #expect(medium.bytes[offset(of: end)] == 0xb2)
        let again = try mount(medium, boot: 4)
        #expect(again.head == log.head)
        let hasForeign2 = again.foundForeignPages
        #expect(!hasForeign2)
        try expectChain(medium)
    }

    @Test func `a holder of the medium cannot continue the log with an epoch of another key`() throws {
        let medium = try medium()
        let before = try mount(medium, boot: 2).head
        let pair = try P256PrivateKey(entropy: .system)
        let foreign = LogSeal(
            ownerKey: owner.publicKey, boardScalar: try pair.scalarBytes(), entropy: .system)
        var log = try mount(medium, boot: 66, seal: foreign)
        for number in 0..<3 { try commit(number, to: &log) }
        try log.acknowledge(log.head.position)
        try commit(3, to: &log)
        let mounted = try mount(medium, boot: 3)
        #expect(mounted.head == before)
        #expect(mounted.syncedThrough == .start)
        let hasForeign3 = mounted.foundForeignPages
        #expect(hasForeign3)
    }

    /// Nobody attacks here: writes were torn in one slot after the other, or the device cannot read them now.
    @Test(arguments: 1...5 as ClosedRange<UInt32>)
    func `segments of which only headers can be read do not send the log back`(count: UInt32) throws {
        let medium = try medium(pages: 0)
        var log = try mount(medium, boot: 2)
        var number = 0
        while log.head.position.segmentOrdinal < 2 {
            try commit(number, to: &log)
            number += 1
        }
        let genuine = log.head
        while log.head.position.segmentOrdinal < 2 + count {
            try commit(number, to: &log)
            number += 1
        }
        for ordinal in genuine.position.segmentOrdinal + 1...2 + count {
            // Page header and segment header with its seal.
            let start = offset(of: LogPosition(segmentOrdinal: ordinal, byteOffset: 254))
            let end = offset(of: LogPosition(segmentOrdinal: ordinal + 1, byteOffset: 0))
            for index in start..<end { medium.bytes[index] = 0 }
        }
        let newest = 2 + count
        var mounted = try mount(medium, boot: 3)
        let last = mounted.head.position.segmentOrdinal
        let hasForeign = mounted.foundForeignPages
        #expect(last == 2 && !hasForeign)
        try commit(number, to: &mounted)
        #expect(mounted.head.position.segmentOrdinal >= newest)
    }

    @Test(arguments: [true, false])
    func `a holder of the medium cannot end the log with a far ordinal`(isOverwritable: Bool) throws {
        for slot in [0, 2, 7, 15] as [UInt32] {
            let medium = try medium(isOverwritable: isOverwritable)
            let log = try mount(medium, boot: 2)
            let before = log.head
            let ordinal: UInt32 = 99_999_968 + slot
            let content = 78 + 28 + 4
            forge(
                on: medium, at: LogPosition(segmentOrdinal: ordinal, byteOffset: 0), after: before,
                flags: 0x06, header: header(of: ordinal, log: log, contentByteCount: content))
            var mounted = try mount(medium, boot: 3)
            #expect(mounted.head == before, "slot \(slot)")
            for number in 0..<300 { try commit(number, to: &mounted) }
            #expect(mounted.head.position.segmentOrdinal < 1_000)
            let again = try mount(medium, boot: 4)
            #expect(again.head == mounted.head)
        }
    }

    @Test func `in a log in clear a far ordinal does not end the log either`() throws {
        let medium = SimulatedMedium(Self.geometry, filledWith: 0, isOverwritable: true)
        var log = try mount(medium, boot: 1, seal: .some(nil))
        for number in 0..<20 { try commit(number, to: &log) }
        let before = log.head
        let ordinal: UInt32 = 99_999_968
        forge(
            on: medium, at: LogPosition(segmentOrdinal: ordinal, byteOffset: 0), after: before, flags: 0x06,
            header: header(of: ordinal, log: log, contentByteCount: 78 + 28 + 4))
        let mounted = try mount(medium, boot: 3, seal: .some(nil))
        #expect(mounted.head.position == before.position)
    }

    @Test func `a log that was in clear goes on when the board gets an owner key`() throws {
        let medium = SimulatedMedium(Self.geometry, filledWith: 0, isOverwritable: true)
        var log = try mount(medium, boot: 1, seal: .some(nil))
        for number in 0..<20 { try commit(number, to: &log) }
        let before = log.head
        // Power fails before the first sealed page.
        var sealed = try mount(medium, boot: 2)
        #expect(sealed.head == before)
        let hasForeign4 = sealed.foundForeignPages
        #expect(!hasForeign4)
        try commit(1, to: &sealed)
        let again = try mount(medium, boot: 3)
        #expect(again.head == sealed.head)
        let hasForeign5 = again.foundForeignPages
        #expect(!hasForeign5)
        try expectChain(medium)
    }

    private func offset(of position: LogPosition) -> Int {
        Int(position.segmentOrdinal) % Self.geometry.segmentCount * Self.geometry.segmentByteCount
            + Int(position.byteOffset)
    }

    /// Checks that the board's pages, without foreign ones, are one chain.
    private func expectChain(_ medium: SimulatedMedium) throws {
        let pages = ReadPages.pages(ofMedium: medium.bytes, geometry: Self.geometry, keys: [owner])
        var value: [UInt8]?
        var breaks = 0
        for page in pages {
            if let value, page.link?.chainValue.bytes != value { breaks += 1 }
            value = page.chainValue
        }
        // A forged page takes part in no link but its own.
        #expect(breaks <= 1)
    }
}

extension Bytes {
    fileprivate var bytes: [UInt8] { (0..<count).map { self[$0] } }
}
