extension Span where Element == UInt8 {
    /// Splits off the first `count` bytes; nil, and nothing is changed, if there are not so many. One check serves
    /// for all reads at constant offsets of what it returns, for the compiler knows its length.
    @inline(__always)
    @_lifetime(copy self)
    public mutating func takeFirst(_ count: Int) -> Span<UInt8>? {
        // As unsigned numbers, negative ones are too large as well.
        guard UInt(bitPattern: count) <= UInt(bitPattern: self.count) else { return nil }
        let first = extracting(unchecked: Range(uncheckedBounds: (0, count)))
        self = extracting(unchecked: Range(uncheckedBounds: (count, self.count)))
        return first
    }
}
