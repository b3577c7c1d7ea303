extension Span where Element == UInt8 {
    var array: [UInt8] { indices.map { self[$0] } }
}
