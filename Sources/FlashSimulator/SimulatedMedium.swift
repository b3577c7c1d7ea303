import EncounterLog

/// The bytes behind a ``SimulatedFlash``, the operations done on them, and the faults to come.
///
/// # Fault model
/// Each line: a fault, its effect, and why it happens. A change *lands* if it is on the medium afterwards.
///
/// - Torn write: power fails during a program or an erasure. None of it lands, all of it, the first bytes, or
///   random pieces (``Tear``). Power cuts come without notice.
/// - Lost write: data that was not synced is gone after a power cut, in pieces of 64 bytes. Kernels and SD
///   cards have caches.
/// - Reordered writes: of unsynced data, later pieces may stay where earlier ones are lost. Caches reorder.
/// - Failed sync (`syncFails`): each piece not yet synced lands or does not, and no later sync restores it. A
///   reader sees the pieces that landed. Linux marks pages whose write-out failed as clean; a `FlashFile`
///   drops them from the cache.
/// - Failed program (`programFails`): the device reports an error. With `failingProgramLands` the bytes are
///   stored nevertheless, with `failingProgramIsPartial` only some of their sectors. Blocks go bad, devices
///   report errors late, and a file may be written in part.
/// - Failed erasure (`eraseFails`): the device reports an error and the segment stays as it was. Flash wears
///   out, and a worn segment fails for ever.
/// - Full or worn out: every program and every erasure fails. Every medium ends like this.
/// - Failed read (`readFails`): the device reports an error. Contacts go bad, and a bus has transient errors.
/// - Bit flip while reading (`flippedBit`): one call returns a wrong bit, and the medium is unchanged. Cells
///   may be unstable.
/// - Bit flip at rest (``flip(bit:inBlock:)``): a stored bit changes. Charge leaks, and nothing refreshes it.
///
/// An overwritable medium is a file or a disk. An interrupted change leaves pieces of the old bytes beside
/// pieces of the new ones. Erasing it means writing it, so that is rare and can fail as any write can. It
/// wears as flash does, because its sectors consist of flash: a worn segment accepts no writes.
///
/// The model leaves out three faults. A read never returns another block's bytes, and a program never lands
/// in another place. A sync that reports success has made the data last, unlike on a disk that ignores
/// flushes. Such a disk would lose promised data without any earlier sign of it in what can be read. No log
/// can cope with that, and a host sees the loss only from the break in the hash chain.
///
/// Programming a unit that was not erased since its last program is an error of the log and not a fault,
/// because NOR flash cannot do it. It is reported to `onViolation`, which traps unless it is replaced.
public final class SimulatedMedium {
    /// The state in which a power cut leaves the interrupted operation.
    public enum Tear: Sendable {
        /// Nothing of the operation lands.
        case nothing
        /// The whole operation lands, but the caller gets no confirmation.
        case everything
        /// The given number of bytes land.
        case prefix(Int)
        /// A random number of bytes land, and some bits of the next. An interrupted erasure leaves random
        /// bits everywhere. On an overwritable medium random pieces land, and one may be mixed bit by bit.
        case partly(RandomStream)
        /// Each piece of 64 bytes lands or does not, in this operation and all others since the last sync.
        case reordered(RandomStream)
    }

    /// An operation that was done, and whether the device reported success.
    public enum Operation: Equatable, Sendable {
        case program(block: Int, succeeded: Bool)
        case erase(segment: Int, succeeded: Bool)
        case sync(succeeded: Bool)
    }

    /// An operation that is about to be done.
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
    /// The content that a reader sees.
    public var bytes: [UInt8]
    /// The content that a power cut would leave, without the changes since the last sync.
    var lasting: [UInt8]
    var changesSinceSync: [Change] = []
    /// Whether each programming unit was programmed since its last erasure.
    var isProgrammed: [Bool]
    var isUntouchedSinceMount = false

    // Counts of operations.
    public private(set) var readCount = 0
    public private(set) var readByteCount = 0
    public private(set) var programCount = 0
    public private(set) var programmedByteCount = 0
    public private(set) var eraseCount = 0
    public private(set) var syncCount = 0
    /// The number of programs and erasures.
    public var changeCount: Int { programCount + eraseCount }
    /// The blocks with a bit flipped at rest, until their segment is erased or they are overwritten.
    public internal(set) var flippedBlocks: Set<Int> = []
    var erasedFlips = ErasedFlips()
    /// Called when power fails within an operation.
    public var onPowerCut: () -> Void = {}
    /// Called after each operation.
    public var onOperation: ((Operation) -> Void)?
    /// Called before each operation.
    public var onRequest: ((Request) -> Void)?
    /// Called with a description of each request that no flash device can perform.
    public var onViolation: (String) -> Void = { preconditionFailure($0) }

    // Faults to come.
    /// Decides which unsynced pieces survive a power cut.
    public var random = RandomStream(seed: 0)
    /// Power fails during the change with this number, counted from 0.
    public var cut: (change: Int, tear: Tear)?
    public internal(set) var isPowered = true
    public var programFails: (_ block: Int) -> Bool = { _ in false }
    /// Whether a failing program stores its bytes nevertheless.
    public var failingProgramLands = false
    /// Whether such a program stores only some of the sectors.
    public var failingProgramIsPartial = false
    public var eraseFails: (_ segment: Int) -> Bool = { _ in false }
    public var syncFails: () -> Bool = { false }
    public var readFails: (_ block: Int) -> Bool = { _ in false }
    /// Which bit, if any, of the given number of bits reads wrong.
    public var flippedBit: (_ bitCount: Int) -> Int? = { _ in nil }
    /// Whether a piece lands although its sync fails.
    public var failedSyncLands: () -> Bool = { false }

    public init(_ geometry: FlashGeometry, filledWith byte: UInt8 = 0xff, isOverwritable: Bool = false) {
        self.geometry = geometry
        self.isOverwritable = isOverwritable
        bytes = Array(repeating: byte, count: geometry.byteCount)
        lasting = bytes
        isProgrammed = Array(repeating: byte != 0xff, count: geometry.byteCount / geometry.unitByteCount)
    }

    /// Copies the content to a new medium without operation counts or faults.
    public func copy() -> SimulatedMedium {
        let copy = SimulatedMedium(geometry, isOverwritable: isOverwritable)
        copy.bytes = bytes
        copy.lasting = bytes
        copy.isProgrammed = isProgrammed
        copy.erasedFlips = erasedFlips
        return copy
    }

    /// Copies the content together with the changes not yet synced, so that the copy can be cut.
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

    /// Cuts power between two operations. Each piece that was not synced may be lost.
    public func powerWasCut() {
        guard isPowered else { return }
        keepPieces { random.chance(0.5) }
        restoreWhatLasts()
        isPowered = false
    }

    /// Prepares for a mount. The new log may repeat failed programs that left no trace, which it cannot know.
    public func willBeMounted() {
        recordTraces()
        isUntouchedSinceMount = true
    }

    func range(ofSegment segment: Int) -> Range<Int> {
        segment * geometry.segmentByteCount..<(segment + 1) * geometry.segmentByteCount
    }

    public func range(ofBlock block: Int) -> Range<Int> {
        block * geometry.blockByteCount..<(block + 1) * geometry.blockByteCount
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
        erasedFlips.didRead(start..<start + count)
        if offset + count > geometry.blockByteCount { onViolation("a read beyond the end of block \(block)") }
        destination.withUnsafeMutableBytes { target in
            bytes.withUnsafeBytes {
                target.copyMemory(from: UnsafeRawBufferPointer(rebasing: $0[start..<start + count]))
            }
        }
        if let bit = flippedBit(count * 8) { destination[bit / 8] ^= 1 << UInt8(bit % 8) }
        readByteCount += count
    }

    func program(block: Int, offset: Int, bytes wanted: [UInt8]) throws(FlashError) {
        guard isPowered else { throw FlashError(.program, code: Self.powerCut) }
        onRequest?(.program(block: block, offset: offset, bytes: wanted))
        let new = keepingFlips(in: wanted, at: block * geometry.blockByteCount + offset)
        let isWhole = offset % geometry.unitByteCount == 0 && new.count % geometry.unitByteCount == 0
        if !isWhole || new.isEmpty || offset + new.count > geometry.blockByteCount {
            onViolation("a program of other than whole units of block \(block)")
        }
        let start = range(ofBlock: block).lowerBound + offset
        let range = start..<start + new.count
        if !isOverwritable, isProgrammed[units(of: range)].contains(true) || isKnownToHoldBits(range) {
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
        erasedFlips.didErase(range)
        flippedBlocks.subtract(blocks(ofSegment: segment))
        change(range, to: new)
        onOperation?(.erase(segment: segment, succeeded: true))
    }

    func sync() throws(FlashError) {
        guard isPowered else { throw FlashError(.sync, code: Self.powerCut) }
        onRequest?(.sync)
        syncCount += 1
        let fails = syncFails()
        if isOverwritable, !fails { recordOverwrittenFlips() }
        if fails { keepPieces(failedSyncLands) } else { keepAll() }
        if fails {
            bytes = lasting
            // The log that programmed a unit must not program it again, even if the program left no trace.
            if isUntouchedSinceMount { recordTraces() }
        }
        onOperation?(.sync(succeeded: !fails))
        if fails { throw FlashError(.sync, code: Self.failure) }
    }
}
