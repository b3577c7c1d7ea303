import EncounterLog
import FixedMemory
import FlashSimulator
import TestSupport

/// The faults of a fuzzed board's medium, and the pages that the log has committed to it.
final class FuzzFlash {
    struct Faults: OptionSet {
        let rawValue: UInt8

        static let programs = Faults(rawValue: 1)
        static let programsThatLand = Faults(rawValue: 2)
        static let erasures = Faults(rawValue: 4)
        static let syncs = Faults(rawValue: 8)
        static let syncsThatLand = Faults(rawValue: 16)
        static let reads = Faults(rawValue: 32)
        static let wrongReads = Faults(rawValue: 64)
        static let programsInPart = Faults(rawValue: 128)
    }

    /// A request that no flash can perform.
    private(set) var violation: String?
    private let medium: SimulatedMedium
    private var faults: Faults = []
    /// Whether a fault may have cost pages or entries.
    private var hasFailed = false
    private var pending: Set<Int> = []
    /// The blocks with pages that the medium has promised to keep.
    private var committed: Set<Int> = []

    init(_ medium: SimulatedMedium) {
        self.medium = medium
        medium.programFails = { [unowned self] _ in faults.contains(.programs) }
        medium.eraseFails = { [unowned self] _ in faults.contains(.erasures) }
        medium.syncFails = { [unowned self] in faults.contains(.syncs) }
        medium.failedSyncLands = { [unowned self] in faults.contains(.syncsThatLand) }
        medium.readFails = { [unowned self] _ in faults.contains(.reads) }
        medium.flippedBit = { [unowned self] in faults.contains(.wrongReads) ? $0 / 3 : nil }
        medium.onViolation = { [unowned self] in violation = violation ?? $0 }
        medium.onOperation = { [unowned self] in record($0) }
    }

    func set(_ new: Faults) {
        faults = new
        medium.failingProgramLands = new.contains(.programsThatLand)
        medium.failingProgramIsPartial = medium.isOverwritable && new.contains(.programsInPart)
        if !new.isEmpty { hasFailed = true }
    }

    func flip(_ place: UInt16, _ bit: UInt8) {
        let geometry = medium.geometry
        medium.flip(
            bit: (Int(place >> 4) * 64 + Int(bit)) % (geometry.blockByteCount * 8),
            inBlock: Int(place) % geometry.blockCount)
        hasFailed = true
    }

    private func record(_ operation: SimulatedMedium.Operation) {
        switch operation {
        case .program(let block, let succeeded):
            committed.remove(block)
            // A log that is written over erases the rest of an earlier segment in this way.
            if succeeded, !medium.isErased(medium.range(ofBlock: block)) { pending.insert(block) }
        case .erase(let segment, _): committed.subtract(medium.blocks(ofSegment: segment))
        case .sync(true):
            committed.formUnion(pending)
            pending = []
        case .sync(false): pending = []
        }
    }

    // MARK: The log

    /// The entries of the log must be consistent, whatever happened.
    func check() throws(FuzzFinding) {
        let keys = FuzzBoard.ownerKeyPair.map { [$0] } ?? []
        let pages = ReadPages.pages(ofMedium: medium.bytes, geometry: medium.geometry, keys: keys)
            .filter { committed.contains(block(of: $0)) }
        // The slot of an overwritten segment still has pages of the segment before.
        try require(
            hasFailed || medium.isOverwritable || pages.count == committed.count,
            "a committed page can be read")
        // The first segments may have been overwritten, and a new owner's pages cannot be opened.
        let isWhole =
            !hasFailed && pages.first?.position == .start
            && pages.allSatisfy { page in
                guard let seal = page.segmentHeader?.seal, page.header.isSealed else { return true }
                return keys.contains { $0.publicKey.fingerprint == seal.ownerKeyFingerprint }
            }
        var boots: [UInt64: BootEntries] = [:]
        for page in pages {
            guard let boot = page.segmentHeader?.bootIdentifier else { continue }
            try boots[boot, default: BootEntries(isWhole: isWhole)].take(page.entries)
        }
    }

    private func block(of page: ReadPages.Page) -> Int {
        let geometry = medium.geometry
        return Int(page.position.segmentOrdinal) % geometry.segmentCount * geometry.blocksPerSegment
            + Int(page.position.byteOffset) / geometry.blockByteCount
    }
}

/// The entries of one boot, in the order of the log.
private struct BootEntries {
    /// Whether no entry can be missing.
    let isWhole: Bool
    private var coveredUntil = Instant.start
    private var opened: Set<UInt32> = []
    private var closed: Set<UInt32> = []

    init(isWhole: Bool) { self.isWhole = isWhole }

    mutating func take(_ entries: [LogEntry]) throws(FuzzFinding) {
        for entry in entries { try take(entry) }
    }

    private mutating func take(_ entry: LogEntry) throws(FuzzFinding) {
        switch entry {
        case .encounterOpened(let entry):
            try require(opened.insert(entry.encounter).inserted, "an encounter opens once")
        case .encounterClosed(let entry):
            try require(!isWhole || opened.contains(entry.encounter), "an encounter opens before it closes")
            try require(closed.insert(entry.encounter).inserted, "an encounter closes once")
        case .sample(let entry):
            try require(!isWhole || opened.contains(entry.encounter), "a sample belongs to an encounter")
            try require(!closed.contains(entry.encounter), "a closed encounter has no more samples")
            try require(entry.start <= entry.end, "a sample begins before it ends")
            try require(entry.readings > 0, "a sample has readings")
            try require(entry.minimumRSSIDBm <= entry.maximumRSSIDBm, "least and most of a sample")
        case .coverage(let entry):
            try require(entry.start <= entry.end, "coverage begins before it ends")
            try require(entry.start >= coveredUntil, "coverage does not overlap")
            coveredUntil = entry.end
        default: break
        }
    }
}
