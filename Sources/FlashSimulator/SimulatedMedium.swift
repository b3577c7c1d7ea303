import EncounterLog

/// What a ``SimulatedFlash`` holds, what was done to it, and what is to go wrong.
///
/// # Fault model
///
/// | what | how | why the log must live with it |
/// |---|---|---|
/// | torn write | power goes during a program or an erasure: nothing of it lands, all, the first bytes, or random pieces (``Tear``) | nobody announces a power cut |
/// | lost write | what was not synced is gone after a power cut, in pieces of 64 bytes | caches in kernels and SD cards |
/// | reordered writes | of what was not synced, later pieces may stay where earlier ones are lost | the same |
/// | failed sync | `syncFails`: the pieces not yet synced land or do not, no later sync brings them back, and what can be read is what landed | Linux takes pages whose writing failed for clean; a `FlashFile` drops them from the cache |
/// | failed program | `programFails`: an error is reported; with `failingProgramLands` the bytes are there all the same, with `failingProgramIsPartial` some sectors of them | bad blocks; errors reported late; a file of which a part is written |
/// | failed erasure | `eraseFails`: an error is reported, the segment stays as it was | wear; a worn segment fails for ever |
/// | full or worn out | every program and erasure fails | the end of every medium |
/// | failed read | `readFails`: an error is reported | bad contacts; transient errors of a bus |
/// | bit flip while reading | `flippedBit`: one call gives a wrong bit, the medium is as before | unstable cells |
/// | bit flip at rest | ``flip(bit:inBlock:)``: a stored bit changes | charge leaks, and nobody refreshes it |
///
/// A medium that can be overwritten is a file or a disk: a change that is cut leaves pieces of what stood there beside pieces
/// of what was to come. It is erased by being written, so seldom; that can fail as any write can. It wears as flash does, whose
/// sectors it consists of: a worn segment takes no writes.
///
/// Not in the model: a read that gives another block's bytes, a program that lands elsewhere, a sync that reports success
/// and has not made anything last (a disk that ignores flushes). What was promised on its word is then gone, and nothing that
/// could be read before the power went would have said so: no log can live with it, and what such a disk has lost a host sees
/// only from the chain's break. Programming a unit that
/// was not erased since it was last programmed is no fault but the log's mistake (NOR flash cannot do it): it goes to
/// `onViolation`, which traps unless it is replaced.
public final class SimulatedMedium {
    /// How a power cut leaves the operation that it interrupts.
    public enum Tear: Sendable {
        /// Nothing of it lands.
        case nothing
        /// All of it lands, but nobody is told.
        case everything
        /// So many bytes land.
        case prefix(Int)
        /// A random number of bytes, and some bits of the next. A cut erasure leaves random bits all over. Of a medium that
        /// can be overwritten random pieces of some size, one of them perhaps mixed bit by bit.
        case partly(RandomStream)
        /// Each piece of 64 bytes lands or does not; so does each operation since the last sync.
        case reordered(RandomStream)
    }

    /// What was asked of the medium, and whether it reported success.
    public enum Operation: Equatable, Sendable {
        case program(block: Int, succeeded: Bool)
        case erase(segment: Int, succeeded: Bool)
        case sync(succeeded: Bool)
    }

    /// What is asked of the medium, before it is done.
    public enum Request: Sendable {
        case program(block: Int, offset: Int, bytes: [UInt8])
        case erase(segment: Int)
        case sync
    }

    struct Change {
        var start: Int
        var bytes: [UInt8]
    }

    public static let powerCut: Int32 = -1
    public static let failure: Int32 = 5

    public let geometry: FlashGeometry
    public let isOverwritable: Bool
    /// What a reader sees.
    public var bytes: [UInt8]
    /// What a power cut would leave, apart from the changes since the last sync.
    var lasting: [UInt8]
    var changesSinceSync: [Change] = []
    /// By unit.
    var isProgrammed: [Bool]
    var isUntouchedSinceMount = false

    // What was done.
    public private(set) var readCount = 0
    public private(set) var readByteCount = 0
    public private(set) var programCount = 0
    public private(set) var programmedByteCount = 0
    public private(set) var eraseCount = 0
    public private(set) var syncCount = 0
    /// Programs and erasures.
    public var changeCount: Int { programCount + eraseCount }
    /// Blocks with a bit that flipped at rest, until their segment is erased or they are written over.
    public private(set) var flippedBlocks: Set<Int> = []
    /// Told when power goes within an operation.
    public var onPowerCut: () -> Void = {}
    /// Told of each operation after it.
    public var onOperation: ((Operation) -> Void)?
    /// Told of each operation before it.
    public var onRequest: ((Request) -> Void)?
    /// Told what no flash device can do.
    public var onViolation: (String) -> Void = { preconditionFailure($0) }

    // What is to go wrong.
    /// Decides which pieces of what was not synced outlive a power cut.
    public var random = RandomStream(seed: 0)
    /// Power goes during the change with this number, counted from 0.
    public var cut: (change: Int, tear: Tear)?
    public internal(set) var isPowered = true
    public var programFails: (_ block: Int) -> Bool = { _ in false }
    /// A failing program writes its bytes nevertheless.
    public var failingProgramLands = false
    /// But not all of them: some sectors.
    public var failingProgramIsPartial = false
    public var eraseFails: (_ segment: Int) -> Bool = { _ in false }
    public var syncFails: () -> Bool = { false }
    public var readFails: (_ block: Int) -> Bool = { _ in false }
    /// Which bit, if any, of so many that are read comes out wrong.
    public var flippedBit: (_ bitCount: Int) -> Int? = { _ in nil }
    /// Which pieces of what a failed sync was to bring to the medium land all the same.
    public var failedSyncLands: () -> Bool = { false }

    public init(_ geometry: FlashGeometry, filledWith byte: UInt8 = 0xff, isOverwritable: Bool = false) {
        self.geometry = geometry
        self.isOverwritable = isOverwritable
        bytes = Array(repeating: byte, count: geometry.byteCount)
        lasting = bytes
        isProgrammed = Array(repeating: byte != 0xff, count: geometry.byteCount / geometry.unitByteCount)
    }

    /// The same bytes in another medium, nothing done yet and nothing to go wrong.
    public func copy() -> SimulatedMedium {
        let copy = SimulatedMedium(geometry, isOverwritable: isOverwritable)
        copy.bytes = bytes
        copy.lasting = bytes
        copy.isProgrammed = isProgrammed
        return copy
    }

    /// The same, with what was not synced yet: what a power cut would find.
    public func snapshot() -> SimulatedMedium {
        let snapshot = copy()
        snapshot.lasting = lasting
        snapshot.changesSinceSync = changesSinceSync
        snapshot.isUntouchedSinceMount = isUntouchedSinceMount
        return snapshot
    }

    public func powerCameBack() {
        isPowered = true
        cut = nil
    }

    /// Power goes between two operations. What was not synced is lost, or some pieces of it.
    public func powerWasCut() {
        guard isPowered else { return }
        keepPieces { random.chance(0.5) }
        restoreWhatLasts()
        isPowered = false
    }

    /// A log is about to be mounted. It cannot know of programs that failed without a trace, and may repeat them.
    public func willBeMounted() {
        noteTraces()
        isUntouchedSinceMount = true
    }

    /// A stored bit changes, for good.
    public func flip(bit: Int, inBlock block: Int) {
        let index = block * geometry.blockByteCount + bit / 8
        bytes[index] ^= 1 << UInt8(bit % 8)
        lasting[index] ^= 1 << UInt8(bit % 8)
        flippedBlocks.insert(block)
    }

    func range(ofSegment segment: Int) -> Range<Int> {
        segment * geometry.segmentByteCount..<(segment + 1) * geometry.segmentByteCount
    }

    public func range(ofBlock block: Int) -> Range<Int> {
        block * geometry.blockByteCount..<(block + 1) * geometry.blockByteCount
    }

    /// What is written over has no bits of before. While it is not synced these may come back.
    private func noteOverwrittenFlips() {
        guard !flippedBlocks.isEmpty else { return }
        for change in changesSinceSync where change.bytes.count == geometry.blockByteCount {
            flippedBlocks.remove(change.start / geometry.blockByteCount)
        }
    }

    func units(of range: Range<Int>) -> Range<Int> {
        range.lowerBound / geometry.unitByteCount..<range.upperBound / geometry.unitByteCount
    }

    public func blocks(ofSegment segment: Int) -> Range<Int> {
        segment * geometry.blocksPerSegment..<(segment + 1) * geometry.blocksPerSegment
    }

    public func resetCounts() {
        readCount = 0
        readByteCount = 0
        programCount = 0
        programmedByteCount = 0
        eraseCount = 0
        syncCount = 0
    }
}

// MARK: - What the device does

extension SimulatedMedium {
    func read(block: Int, offset: Int, into destination: inout MutableSpan<UInt8>) throws(FlashError) {
        guard isPowered else { throw FlashError(.read, code: Self.powerCut) }
        readCount += 1
        if readFails(block) { throw FlashError(.read, code: Self.failure) }
        let start = block * geometry.blockByteCount + offset
        let count = destination.count
        if offset + count > geometry.blockByteCount { onViolation("a read beyond the end of block \(block)") }
        destination.withUnsafeMutableBytes { target in
            bytes.withUnsafeBytes {
                target.copyMemory(from: UnsafeRawBufferPointer(rebasing: $0[start..<start + count]))
            }
        }
        if let bit = flippedBit(count * 8) { destination[bit / 8] ^= 1 << UInt8(bit % 8) }
        readByteCount += count
    }

    func program(block: Int, offset: Int, bytes new: [UInt8]) throws(FlashError) {
        guard isPowered else { throw FlashError(.program, code: Self.powerCut) }
        onRequest?(.program(block: block, offset: offset, bytes: new))
        let isWhole = offset % geometry.unitByteCount == 0 && new.count % geometry.unitByteCount == 0
        if !isWhole || new.isEmpty || offset + new.count > geometry.blockByteCount {
            onViolation("a program of other than whole units of block \(block)")
        }
        let start = range(ofBlock: block).lowerBound + offset
        let range = start..<start + new.count
        if !isOverwritable, isProgrammed[units(of: range)].contains(true) || !isErased(range) {
            onViolation("block \(block) programmed twice, or not erased before")
        }
        for unit in units(of: range) { isProgrammed[unit] = true }
        isUntouchedSinceMount = false
        defer { programCount += 1 }
        if let cut, cut.change == changeCount {
            land(new, in: range, tear: cut.tear, isErasure: false)
            onOperation?(.program(block: block, succeeded: false))
            throw FlashError(.program, code: Self.powerCut)
        }
        let fails = programFails(block)
        if fails, failingProgramLands, failingProgramIsPartial {
            changeSectors(range, to: new)
        } else if !fails || failingProgramLands {
            change(range, to: new)
        }
        onOperation?(.program(block: block, succeeded: !fails))
        if fails { throw FlashError(.program, code: Self.failure) }
        programmedByteCount += new.count
    }

    func erase(segment: Int) throws(FlashError) {
        guard isPowered else { throw FlashError(.erase, code: Self.powerCut) }
        onRequest?(.erase(segment: segment))
        let range = range(ofSegment: segment)
        let new = [UInt8](repeating: 0xff, count: range.count)
        isUntouchedSinceMount = false
        defer { eraseCount += 1 }
        if let cut, cut.change == changeCount {
            land(new, in: range, tear: cut.tear, isErasure: true)
            onOperation?(.erase(segment: segment, succeeded: false))
            throw FlashError(.erase, code: Self.powerCut)
        }
        if eraseFails(segment) {
            onOperation?(.erase(segment: segment, succeeded: false))
            throw FlashError(.erase, code: Self.failure)
        }
        for unit in units(of: range) { isProgrammed[unit] = false }
        flippedBlocks.subtract(blocks(ofSegment: segment))
        change(range, to: new)
        onOperation?(.erase(segment: segment, succeeded: true))
    }

    func sync() throws(FlashError) {
        guard isPowered else { throw FlashError(.sync, code: Self.powerCut) }
        onRequest?(.sync)
        syncCount += 1
        let fails = syncFails()
        if isOverwritable, !fails { noteOverwrittenFlips() }
        keepPieces { !fails || failedSyncLands() }
        if fails {
            bytes = lasting
            // What left no trace stays programmed for the log that has programmed it.
            if isUntouchedSinceMount { noteTraces() }
        }
        onOperation?(.sync(succeeded: !fails))
        if fails { throw FlashError(.sync, code: Self.failure) }
    }
}
