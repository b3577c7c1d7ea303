// Changes of the stored bytes, with and without a power cut.

import Glibc

extension SimulatedMedium {
    /// Cuts power during an operation.
    public func cutPower(during request: Request, tear: Tear) {
        switch request {
        case .program(let block, let offset, let new):
            let start = range(ofBlock: block).lowerBound + offset
            land(new, in: start..<start + new.count, tear: tear, isErasure: false)
        case .erase(let segment):
            let range = range(ofSegment: segment)
            land([UInt8](repeating: 0xff, count: range.count), in: range, tear: tear, isErasure: true)
        case .sync: cutPowerDuringSync(tear)
        }
    }

    /// Cuts power while a sync writes one of the pending changes. All changes before that one have landed.
    private func cutPowerDuringSync(_ tear: Tear) {
        var tear = tear
        var index = max(0, changesSinceSync.count - 1)
        switch tear {
        case .nothing: changesSinceSync = []
        case .everything, .reordered, .prefix: break
        case .partly(var generator):
            index = Int(generator.below(UInt64(max(1, changesSinceSync.count))))
            tear = .partly(generator)
        }
        guard index < changesSinceSync.count else {
            return land([], in: 0..<0, tear: .nothing, isErasure: false)
        }
        let change = changesSinceSync[index]
        changesSinceSync.removeSubrange(index...)
        land(
            change.bytes, in: change.start..<change.start + change.bytes.count, tear: tear,
            isErasure: change.bytes.allSatisfy { $0 == 0xff })
    }

    private static var pieceByteCount: Int { 64 }

    /// Whether all bytes of `range` are 0xff. The C library compares each byte with the next one, because the
    /// exhaustive tests call this often in unoptimised builds.
    public func isErased(_ range: Range<Int>) -> Bool {
        bytes.withUnsafeBytes { all in
            let part = UnsafeRawBufferPointer(rebasing: all[range])
            guard let start = part.baseAddress, let first = part.first else { return true }
            return first == 0xff && memcmp(start, start + 1, part.count - 1) == 0
        }
    }

    func change(_ range: Range<Int>, to new: [UInt8]) {
        bytes.replaceSubrange(range, with: new)
        changesSinceSync.append(Change(start: range.lowerBound, bytes: new))
    }

    /// Applies a failed write: each 512-byte sector lands or does not.
    func changeSectors(_ range: Range<Int>, to new: [UInt8]) {
        for start in stride(from: 0, to: new.count, by: 512) where random.chance(0.5) {
            let piece = Array(new[start..<min(start + 512, new.count)])
            let target = range.lowerBound + start
            change(target..<target + piece.count, to: piece)
        }
    }

    /// Moves to the medium those pieces of the changes since the last sync for which `lands` returns true.
    func keepPieces(_ lands: () -> Bool) {
        for change in changesSinceSync {
            for start in stride(from: 0, to: change.bytes.count, by: Self.pieceByteCount) where lands() {
                let piece = change.bytes[start..<min(start + Self.pieceByteCount, change.bytes.count)]
                let target = change.start + start
                lasting.replaceSubrange(target..<target + piece.count, with: piece)
            }
        }
        changesSinceSync = []
    }

    /// Moves all changes since the last sync to the medium, as `keepPieces { true }` does, but without taking
    /// them to pieces.
    func keepAll() {
        for change in changesSinceSync {
            lasting.replaceSubrange(change.start..<change.start + change.bytes.count, with: change.bytes)
        }
        changesSinceSync = []
    }

    func restoreWhatLasts() {
        bytes = lasting
        changesSinceSync = []
        recordTraces()  // The log may program lost units again.
    }

    func recordTraces() {
        for unit in isProgrammed.indices {
            let start = unit * geometry.unitByteCount
            let range = start..<start + geometry.unitByteCount
            isProgrammed[unit] =
                !isErased(range) && range.contains { !erasedFlips.isErased(bytes[$0], at: $0) }
        }
    }

    func land(_ new: [UInt8], in range: Range<Int>, tear: Tear, isErasure: Bool) {
        isPowered = false
        onPowerCut()
        if case .reordered(var generator) = tear {
            changesSinceSync.append(Change(start: range.lowerBound, bytes: new))
            keepPieces { Bool.random(using: &generator) }
            return restoreWhatLasts()
        }
        keepAll()
        switch tear {
        case .nothing, .reordered: break
        case .everything: lasting.replaceSubrange(range, with: new)
        case .prefix(let count): lasting.replaceSubrange(range.prefix(count), with: new.prefix(count))
        case .partly(var generator):
            if isOverwritable {
                mix(new, into: range, using: &generator)
            } else if isErasure {
                for index in range { lasting[index] |= UInt8.random(in: 0...255, using: &generator) }
            } else {
                let count = Int.random(in: 0..<new.count, using: &generator)
                lasting.replaceSubrange(range.prefix(count), with: new.prefix(count))
                lasting[range.lowerBound + count] &= new[count] | UInt8.random(in: 0...255, using: &generator)
            }
        }
        restoreWhatLasts()
    }

    /// Writes pieces of the new bytes among the old ones. A piece is a sector or a smaller internal unit of a
    /// disk. Bits may be mixed within the piece that was being written.
    private func mix(_ new: [UInt8], into range: Range<Int>, using generator: inout RandomStream) {
        let sizes = [16, 64, 512]
        let size = sizes[Int(generator.below(UInt64(sizes.count)))]
        let starts = Array(stride(from: 0, to: new.count, by: size))
        for start in starts where generator.chance(0.5) {
            let piece = new[start..<min(start + size, new.count)]
            let target = range.lowerBound + start
            lasting.replaceSubrange(target..<target + piece.count, with: piece)
        }
        guard generator.chance(0.25) else { return }
        let start = range.lowerBound + starts[Int(generator.below(UInt64(starts.count)))]
        let end = min(start + size, range.upperBound)
        for index in start..<end {
            let mask = UInt8.random(in: 0...255, using: &generator)
            lasting[index] = bytes[index] & ~mask | new[index - range.lowerBound] & mask
        }
    }
}
