extension Span where Element == UInt8 {
    /// Splits off the first `count` bytes; nil, and nothing is changed, if there are not so many. One check serves
    /// for all reads at constant offsets of what it returns, for the compiler knows its length.
    @inline(__always)
    @_lifetime(copy self)
    public mutating func takeFirst(_ count: Int) -> Span<UInt8>? {
        // As unsigned numbers, negative ones are too large as well.
        guard UInt(bitPattern: count) <= UInt(bitPattern: self.count) else { return nil }
        // By address, for `extracting` asks of each slice anew whether it lies anywhere: an empty span need not, but then
        // nothing is read of it.
        let base = unsafeBitCast(withUnsafeBufferPointer { $0.baseAddress }, to: UnsafePointer<UInt8>.self)
        let first = Span(_unsafeStart: base, count: count)
        let rest = Span(_unsafeStart: base + count, count: self.count &- count)
        self = _overrideLifetime(rest, copying: self)
        return _overrideLifetime(first, copying: self)
    }
}
