import Cryptography
import EncounterLog
import FixedMemory

/// Damages one page at a time in a log whose ring has wrapped, and reads that log.
public final class DamageTrial {
    public enum Damage: String, CaseIterable, Sendable {
        case flippedBit
        case randomBytes
        case zeros
        /// The page before it, repeated.
        case neighbour
        /// The bytes at the same place in another board's log, with a valid checksum.
        case otherLog
        /// The page that was there one round of the ring before.
        case olderPage

        /// All kinds of damage except flipped bits.
        public static var ofPages: [Damage] { [.randomBytes, .zeros, .neighbour, .otherLog, .olderPage] }
    }

    /// The last segment, which makes the ring wrap.
    private static let lastSegment: UInt32 = 2 * 16 - 1

    private let workload: LogWorkload
    private let medium: SimulatedMedium
    /// The medium one round of the ring before.
    private let older: [UInt8]
    private let other: [UInt8]
    private let otherPages: [LogReading.Page]
    private let whole: LogReading
    private var random: RandomStream
    /// Called with damage that goes unnoticed, costs more than its page, or prevents mounting.
    public var onFailure: (String) -> Void = { _ in }

    /// Changes a reading in a forbidden way, for tests; the verdict must detect it.
    var sabotage: (inout LogReading) -> Void = { _ in }

    /// - Parameter scenario: The scenario, whose cut mode is ignored.
    public init(_ scenario: PowerCutScenario) throws {
        workload = try LogWorkload(scenario)
        medium = PowerCutScenario.medium(scenario.medium)
        let books = LogWorkload.Books(LogLedger(segmentCount: medium.geometry.segmentCount))
        var older: [UInt8]?
        medium.onRequest = { [medium] request in
            if older == nil, Self.overwritesFirstSegment(request, medium) { older = medium.bytes }
        }
        try workload.write(to: medium, books, throughSegment: Self.lastSegment)
        medium.onRequest = nil
        self.older = older ?? []
        var log = try EncounterLog(
            mounting: SimulatedFlash(medium), newLogIdentity: Bytes(), bootIdentifier: 0)
        whole = try workload.reader.read(&log)
        (other, otherPages) = try Self.otherLog(scenario)
        random = scenario.random.split("damage")
    }

    /// Whether the request reuses the ring's first slot.
    private static func overwritesFirstSegment(
        _ request: SimulatedMedium.Request, _ medium: SimulatedMedium
    ) -> Bool {
        switch request {
        case .erase(let slot): slot == 0
        case .program(let block, _, let bytes):
            block == 0
                && SegmentHeader(pageStart: bytes.span)?.segmentOrdinal
                    == UInt32(medium.geometry.segmentCount)
        case .sync: false
        }
    }

    private static func otherLog(_ scenario: PowerCutScenario) throws -> ([UInt8], [LogReading.Page]) {
        var scenario = scenario
        scenario.seed &+= 1_000
        let workload = try LogWorkload(scenario)
        let medium = PowerCutScenario.medium(scenario.medium)
        let books = LogWorkload.Books(LogLedger(segmentCount: medium.geometry.segmentCount))
        try workload.write(to: medium, books, throughSegment: lastSegment)
        var log = try EncounterLog(
            mounting: SimulatedFlash(medium), newLogIdentity: Bytes(), bootIdentifier: 0)
        return (medium.bytes, try workload.reader.read(&log).pages)
    }

    /// Tries the given number of pages, one after the other.
    public func run(_ damage: Damage, times: Int) -> DamageCounts {
        var counts = DamageCounts()
        while counts.tried < times {
            let index = Int(random.below(UInt64(whole.pages.count)))
            guard let change = change(damage, toPage: index) else { continue }
            counts.tried += 1
            let page = whole.pages[index]
            if page.position.byteOffset == 0 { counts.segmentHeaders += 1 }
            let damaged = medium.copy()
            damaged.bytes.replaceSubrange(
                change.start..<change.start + change.bytes.count, with: change.bytes)
            var reading: LogReading
            var foundStaleBlocks = false
            do throws(LogError) {
                var log = try EncounterLog(
                    mounting: SimulatedFlash(damaged), newLogIdentity: Bytes(), bootIdentifier: 0)
                foundStaleBlocks = log.foundStaleBlocks
                reading = try workload.reader.read(&log)
            } catch {
                counts.notMounted += 1
                onFailure("\(damage) of \(Self.text(page)): not mounted: \(error)")
                continue
            }
            sabotage(&reading)
            judge(reading, foundStaleBlocks, change, &counts) {
                onFailure("\(damage) of \(Self.text(page)): \($0)")
            }
        }
        return counts
    }

    // MARK: Damage

    private struct Change {
        /// The offset on the medium.
        var start: Int
        var bytes: [UInt8]
        var segmentOrdinal: UInt32
        /// The range within the segment.
        var range: Range<Int>
    }

    /// The change for a kind of damage; nil if it cannot affect this page.
    private func change(_ damage: Damage, toPage index: Int) -> Change? {
        let page = whole.pages[index]
        let start = start(of: page)
        var bytes = Array(medium.bytes[start..<start + page.byteCount])
        switch damage {
        case .flippedBit:
            let bit = Int(random.below(UInt64(8 * page.byteCount)))
            bytes[bit / 8] ^= 1 << UInt8(bit % 8)
        case .randomBytes: bytes = random.bytes(page.byteCount)
        case .zeros: bytes = [UInt8](repeating: 0, count: page.byteCount)
        case .neighbour:
            guard index > 0 else { return nil }
            let before = self.start(of: whole.pages[index - 1])
            for offset in bytes.indices where before + offset < medium.bytes.count {
                bytes[offset] = medium.bytes[before + offset]
            }
        case .otherLog:
            // At the start of the newest segment it would turn the whole log into the other board's.
            let isNewest = page.position == LogPosition(segmentOrdinal: Self.lastSegment, byteOffset: 0)
            guard !isNewest, let there = otherPages.first(where: { $0.position == page.position }) else {
                return nil
            }
            bytes = Array(other[start..<start + max(page.byteCount, there.byteCount)])
        case .olderPage:
            // In the newest segment it would restore an earlier end of the log. Only a later signed statement
            // of the board can reveal that.
            guard page.position.segmentOrdinal < Self.lastSegment else { return nil }
            bytes = Array(older[start..<start + page.byteCount])
        }
        let offset = Int(page.position.byteOffset)
        return Change(
            start: start, bytes: bytes, segmentOrdinal: page.position.segmentOrdinal,
            range: offset..<offset + bytes.count)
    }

    private func start(of page: LogReading.Page) -> Int {
        let slot = Int(page.position.segmentOrdinal) % medium.geometry.segmentCount
        return slot * medium.geometry.segmentByteCount + Int(page.position.byteOffset)
    }

    // MARK: Verdict

    private func judge(
        _ reading: LogReading, _ foundStaleBlocks: Bool, _ change: Change, _ counts: inout DamageCounts,
        _ complain: (String) -> Void
    ) {
        var found: [UInt64: LogReading.Page] = [:]
        for page in reading.pages { found[Self.key(page.position)] = page }
        var missingHere = 0
        var missingElsewhere = 0
        for page in whole.pages {
            let now = found.removeValue(forKey: Self.key(page.position))
            if let now, now.numbers == page.numbers, now.bootIdentifier == page.bootIdentifier {
                let lost = now.lostIdentityCount - page.lostIdentityCount
                if page.position.segmentOrdinal == change.segmentOrdinal {
                    counts.identitiesLost += lost
                } else if lost != 0 {
                    missingElsewhere += 1
                }
                continue
            }
            let offset = Int(page.position.byteOffset)
            let isHere =
                page.position.segmentOrdinal == change.segmentOrdinal
                && change.range.overlaps(offset..<offset + page.byteCount)
            if isHere { missingHere += 1 } else { missingElsewhere += 1 }
        }
        let isChanged = missingHere + missingElsewhere + found.count > 0
        let isReported =
            reading.faults.contains {
                $0.position.segmentOrdinal == change.segmentOrdinal
            } || reading.chainBreaks() > 0 || foundStaleBlocks
        if !isChanged {
            counts.harmless += 1
        } else if !isReported {
            counts.silent += 1
            complain("silent")
        } else if missingElsewhere > 0 {
            counts.moreLost += 1
            complain("\(missingElsewhere) other pages lost")
        } else {
            counts.pageLost += 1
        }
    }

    private static func text(_ page: LogReading.Page) -> String {
        "page \(page.position.segmentOrdinal)/\(page.position.byteOffset)"
    }

    private static func key(_ position: LogPosition) -> UInt64 {
        UInt64(position.segmentOrdinal) << 32 | UInt64(position.byteOffset)
    }
}
