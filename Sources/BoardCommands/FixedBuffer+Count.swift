import FixedMemory

extension FixedBuffer<1024> {
    /// Appends a number and its noun behind `start`.
    @inline(never)
    mutating func append(
        count: UInt32, _ noun: StaticString, after start: StaticString = ""
    ) throws(CapacityError) {
        try append(start)
        try append(decimal: count)
        try append(noun)
    }
}
