import EncounterLog
import TestSupport

/// A flash device in memory, with a power switch. What it holds outlives every log mounted on it.
struct EmulatedFlash: FlashDevice {
    let medium: Medium

    var geometry: FlashGeometry { medium.geometry }

    func read(page: Int, offset: Int, into destination: inout MutableSpan<UInt8>) throws(FlashError) {
        try medium.beginRead(page: page)
        let start = page * geometry.pageByteCount + offset
        precondition(offset + destination.count <= geometry.pageByteCount, "a read beyond the page's end")
        let count = destination.count
        destination.withUnsafeMutableBytes { target in
            medium.bytes.withUnsafeBytes {
                target.copyMemory(from: UnsafeRawBufferPointer(rebasing: $0[start..<start + count]))
            }
        }
        medium.readByteCount += count
    }

    func program(page: Int, from bytes: Span<UInt8>) throws(FlashError) {
        let copy = bytes.withUnsafeBufferPointer { Array($0) }
        try medium.program(page: page, bytes: copy)
    }

    func erase(segment: Int) throws(FlashError) { try medium.erase(segment: segment) }

    func sync() throws(FlashError) { try medium.sync() }
}

/// What an ``EmulatedFlash`` holds, what was done to it, and what is to go wrong.
final class Medium {
    /// How a power cut leaves the operation that it interrupts.
    enum Tear {
        /// Nothing of it lands.
        case nothing
        /// All of it lands, but nobody is told.
        case everything
        /// So many bytes land.
        case prefix(Int)
        /// A random number of bytes, and some bits of the next. A cut erasure leaves random bits all over.
        case partly(SeededGenerator)
        /// Each piece of 64 bytes lands or does not; so does each operation since the last sync.
        case reordered(SeededGenerator)
    }

    static let powerCut: Int32 = -1
    static let failure: Int32 = 5

    let geometry: FlashGeometry
    var bytes: [UInt8]
    private var isProgrammed: [Bool]
    private var bytesAtLastSync: [UInt8]
    private var changesSinceSync: [(range: Range<Int>, bytes: [UInt8])] = []

    // What was done.
    var readCount = 0
    var readByteCount = 0
    private(set) var programCount = 0
    private(set) var eraseCount = 0
    private(set) var syncCount = 0
    /// Programs and erasures.
    var changeCount: Int { programCount + eraseCount }

    // What is to go wrong.
    /// Power goes during the change with this number, counted from 0.
    var cut: (change: Int, tear: Tear)?
    private(set) var isPowered = true
    var programFails: (_ page: Int) -> Bool = { _ in false }
    /// A failing program writes its bytes nevertheless.
    var failingProgramLands = false
    var eraseFails: (_ segment: Int) -> Bool = { _ in false }
    var syncFails = false
    var readFails: (_ page: Int) -> Bool = { _ in false }

    init(geometry: FlashGeometry, filledWith byte: UInt8 = 0xff) {
        self.geometry = geometry
        bytes = Array(repeating: byte, count: geometry.byteCount)
        bytesAtLastSync = bytes
        isProgrammed = Array(repeating: byte != 0xff, count: geometry.pageCount)
    }

    /// The same bytes in another medium, nothing done yet and nothing to go wrong.
    func copy() -> Medium {
        let copy = Medium(geometry: geometry)
        copy.bytes = bytes
        copy.bytesAtLastSync = bytes
        copy.isProgrammed = isProgrammed
        return copy
    }

    func powerOn() {
        isPowered = true
        cut = nil
    }

    func range(ofPage page: Int) -> Range<Int> {
        page * geometry.pageByteCount..<(page + 1) * geometry.pageByteCount
    }

    /// Compares whole words: the tests of every byte call it often, unoptimised.
    private func isErased(_ range: Range<Int>) -> Bool {
        bytes.withUnsafeBytes { all in
            stride(from: range.lowerBound, to: range.upperBound, by: 8).allSatisfy {
                all.loadUnaligned(fromByteOffset: $0, as: UInt64.self) == .max
            }
        }
    }

    func resetCounts() {
        readCount = 0
        readByteCount = 0
        programCount = 0
        eraseCount = 0
        syncCount = 0
    }

    func beginRead(page: Int) throws(FlashError) {
        guard isPowered else { throw FlashError(.read, code: Self.powerCut) }
        readCount += 1
        if readFails(page) { throw FlashError(.read, code: Self.failure) }
    }

    func program(page: Int, bytes new: [UInt8]) throws(FlashError) {
        guard isPowered else { throw FlashError(.program, code: Self.powerCut) }
        precondition(new.count == geometry.pageByteCount, "a program that is not a page")
        precondition(!isProgrammed[page], "page \(page) programmed twice")
        let range = range(ofPage: page)
        precondition(isErased(range), "page \(page) programmed but not erased")
        isProgrammed[page] = true
        defer { programCount += 1 }
        if let cut, cut.change == changeCount {
            land(new, in: range, tear: cut.tear, isErasure: false)
            throw FlashError(.program, code: Self.powerCut)
        }
        let fails = programFails(page)
        if !fails || failingProgramLands { change(range, to: new) }
        if fails { throw FlashError(.program, code: Self.failure) }
    }

    func erase(segment: Int) throws(FlashError) {
        guard isPowered else { throw FlashError(.erase, code: Self.powerCut) }
        let pages = segment * geometry.pagesPerSegment..<(segment + 1) * geometry.pagesPerSegment
        let range =
            range(ofPage: pages.lowerBound).lowerBound..<range(ofPage: pages.upperBound - 1).upperBound
        let new = [UInt8](repeating: 0xff, count: range.count)
        defer { eraseCount += 1 }
        if let cut, cut.change == changeCount {
            land(new, in: range, tear: cut.tear, isErasure: true)
            throw FlashError(.erase, code: Self.powerCut)
        }
        if eraseFails(segment) { throw FlashError(.erase, code: Self.failure) }
        for page in pages { isProgrammed[page] = false }
        change(range, to: new)
    }

    func sync() throws(FlashError) {
        guard isPowered else { throw FlashError(.sync, code: Self.powerCut) }
        syncCount += 1
        if syncFails { throw FlashError(.sync, code: Self.failure) }
        for change in changesSinceSync { bytesAtLastSync.replaceSubrange(change.range, with: change.bytes) }
        changesSinceSync = []
    }

    private func change(_ range: Range<Int>, to new: [UInt8]) {
        bytes.replaceSubrange(range, with: new)
        changesSinceSync.append((range, new))
    }

    private func land(_ new: [UInt8], in range: Range<Int>, tear: Tear, isErasure: Bool) {
        isPowered = false
        switch tear {
        case .nothing: break
        case .everything: bytes.replaceSubrange(range, with: new)
        case .prefix(let count): bytes.replaceSubrange(range.prefix(count), with: new.prefix(count))
        case .partly(var generator):
            if isErasure {
                for index in range { bytes[index] |= UInt8.random(in: 0...255, using: &generator) }
            } else {
                let count = Int.random(in: 0..<new.count, using: &generator)
                bytes.replaceSubrange(range.prefix(count), with: new.prefix(count))
                bytes[range.lowerBound + count] &= new[count] | UInt8.random(in: 0...255, using: &generator)
            }
        case .reordered(var generator):
            bytes = bytesAtLastSync
            for change in changesSinceSync + [(range, new)] {
                for start in stride(from: 0, to: change.bytes.count, by: 64)
                where Bool.random(using: &generator) {
                    let piece = change.bytes[start..<min(start + 64, change.bytes.count)]
                    let target = change.range.lowerBound + start
                    bytes.replaceSubrange(target..<target + piece.count, with: piece)
                }
            }
        }
        bytesAtLastSync = bytes
        changesSinceSync = []
        // What was cut may be programmed again only where it left no trace.
        for page in 0..<geometry.pageCount where self.range(ofPage: page).overlaps(range) {
            isProgrammed[page] = !isErased(self.range(ofPage: page))
        }
    }
}
