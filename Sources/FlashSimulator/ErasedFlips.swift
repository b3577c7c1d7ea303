/// The bits that have flipped at rest in erased units of flash, where nothing was programmed.
///
/// A log can know of such a bit only if it has read the unit since. A bit that flips back leaves the unit as
/// the erasure did.
struct ErasedFlips {
    /// The flipped bits of each byte, by the byte's place on the medium.
    private var masks: [Int: UInt8] = [:]
    /// The bytes that were not read since a bit of them flipped.
    private var unseen: Set<Int> = []

    mutating func flip(_ mask: UInt8, at index: Int) {
        let flipped = (masks[index] ?? 0) ^ mask
        masks[index] = flipped == 0 ? nil : flipped
        unseen.insert(index)
    }

    mutating func didRead(_ range: Range<Int>) {
        if !unseen.isEmpty { unseen.subtract(range) }
    }

    mutating func didErase(_ range: Range<Int>) {
        guard !masks.isEmpty || !unseen.isEmpty else { return }
        masks = masks.filter { !range.contains($0.key) }
        unseen.subtract(range)
    }

    /// Whether a byte with this content is as an erasure has left it, but for flipped bits.
    func isErased(_ byte: UInt8, at index: Int) -> Bool { byte ^ (masks[index] ?? 0) == 0xff }

    /// Whether a reader has seen that the byte is not erased.
    func isSeen(_ index: Int) -> Bool { !unseen.contains(index) }
}
