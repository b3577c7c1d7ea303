extension Span where Element == UInt8 {
    /// Splits off the first `count` bytes; returns nil and changes nothing if there are fewer. The compiler
    /// knows the length of the result, so this one check covers all later reads from it at constant
    /// offsets.
    @inline(__always)
    @_lifetime(copy self)
    public mutating func takeFirst(_ count: Int) -> Span<UInt8>? {
        // As unsigned numbers, negative counts are too large as well.
        guard UInt(bitPattern: count) <= UInt(bitPattern: self.count) else { return nil }
        // Builds the slices from the address because `extracting` checks every slice for a nil base address
        // again. An empty span may have a nil base, but nothing is read from it.
        let base = unsafeBitCast(withUnsafeBufferPointer { $0.baseAddress }, to: UnsafePointer<UInt8>.self)
        let first = Span(_unsafeStart: base, count: count)
        let rest = Span(_unsafeStart: base + count, count: self.count &- count)
        self = _overrideLifetime(rest, copying: self)
        return _overrideLifetime(first, copying: self)
    }
}
