/// For calls of mbedTLS with several spans: a closure for each would make the board's image larger.
extension Span<UInt8> {
    /// The address of the first byte. Valid while the span is: use it only in a call that ends before.
    @inline(__always)
    var address: UnsafePointer<UInt8>? { withUnsafeBufferPointer { $0.baseAddress } }
}
