/// Bits that flip at rest.
extension SimulatedMedium {
    /// Changes a stored bit permanently.
    public func flip(bit: Int, inBlock block: Int) {
        let index = block * geometry.blockByteCount + bit / 8
        bytes[index] ^= 1 << UInt8(bit % 8)
        lasting[index] ^= 1 << UInt8(bit % 8)
        flippedBlocks.insert(block)
        if !isOverwritable, !isProgrammed[index / geometry.unitByteCount] {
            erasedFlips.flip(1 << UInt8(bit % 8), at: index)
        }
    }

    /// Forgets the flipped bits of overwritten blocks. Until the sync, the old bits may come back.
    func recordOverwrittenFlips() {
        guard !flippedBlocks.isEmpty else { return }
        for change in changesSinceSync where change.bytes.count == geometry.blockByteCount {
            flippedBlocks.remove(change.start / geometry.blockByteCount)
        }
    }

    /// Whether the range is not erased, as its last reader could see.
    func isKnownToHoldBits(_ range: Range<Int>) -> Bool {
        !isErased(range) && range.contains { bytes[$0] != 0xff && erasedFlips.isSeen($0) }
    }

    /// The bytes that programming leaves in erased units in which a bit has flipped. It never sets a bit.
    func keepingFlips(in new: [UInt8], at start: Int) -> [UInt8] {
        guard !isOverwritable, start + new.count <= bytes.count else { return new }
        let range = start..<start + new.count
        return isErased(range) ? new : range.map { bytes[$0] & new[$0 - start] }
    }
}
