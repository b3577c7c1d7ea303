/// The order of the bytes of a number in a file.
enum ByteOrder {
    case big
    case little

    func number<Number: FixedWidthInteger & UnsignedInteger>(_ bytes: some Sequence<UInt8>) -> Number {
        switch self {
        case .big: bytes.reduce(0) { $0 << 8 | Number(truncatingIfNeeded: $1) }
        case .little: bytes.reversed().reduce(0) { $0 << 8 | Number(truncatingIfNeeded: $1) }
        }
    }
}
