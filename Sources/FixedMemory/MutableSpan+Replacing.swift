extension MutableSpan where Element == UInt8 {
    /// Copies `bytes` to `start`. There must be room for them.
    ///
    /// It copies all bytes together, which takes an eighth of the instructions of a loop over them. It is
    /// not inlined, because encoders of every size call it.
    @inline(never)
    @_lifetime(self: copy self)
    public mutating func replace(at start: Int, with bytes: Span<UInt8>) {
        precondition(start >= 0 && bytes.count <= count - start)
        withUnsafeMutableBytes { target in
            bytes.withUnsafeBytes { source in
                guard let target = target.baseAddress, let first = source.baseAddress else { return }
                (target + start).copyMemory(from: first, byteCount: source.count)
            }
        }
    }
}
