import FixedMemory

/// The major types of CBOR (RFC 8949, 3.1).
enum CBORType: UInt8 {
    case unsigned, negative, bytes, text, array, map, tag, simple
}

/// The head of an item: its major type and its argument.
struct CBORHead {
    let type: CBORType
    /// The argument; nil for an indefinite length and for the break that ends one.
    let argument: UInt64?

    /// The argument as a count that fits in memory (at most 65,535); nil for an indefinite length.
    var count: Int? {
        get throws(MalformedCBOR) {
            guard let argument else { return nil }
            guard argument <= 0xFFFF else { throw MalformedCBOR() }
            return Int(truncatingIfNeeded: argument)
        }
    }
}

/// Reads CBOR items from front to back without recursion. `CBORReader.depthLimit` bounds the nesting.
struct CBORReader: ~Escapable {
    static let depthLimit = 8

    let bytes: Span<UInt8>
    var offset = 0

    @_lifetime(copy bytes)
    init(_ bytes: Span<UInt8>) { self.bytes = bytes }

    /// Whether the next byte is the break that ends an indefinite length.
    var isAtBreak: Bool { offset < bytes.count && bytes[offset] == 0xFF }

    mutating func readHead() throws(MalformedCBOR) -> CBORHead {
        guard offset < bytes.count, let type = CBORType(rawValue: bytes[offset] >> 5) else {
            throw MalformedCBOR()
        }
        let information = bytes[offset] & 31
        offset += 1
        switch information {
        case 0..<24:
            return CBORHead(type: type, argument: UInt64(information))
        case 24...27:
            let argument = try readInteger(byteCount: 1 << Int(information - 24))
            // A simple value below 32 must not be encoded in two bytes (3.3).
            guard !(type == .simple && information == 24 && argument < 32) else { throw MalformedCBOR() }
            return CBORHead(type: type, argument: argument)
        case 31 where type != .unsigned && type != .negative && type != .tag:
            return CBORHead(type: type, argument: nil)
        default:
            throw MalformedCBOR()
        }
    }

    @_lifetime(copy self)
    mutating func readBytes(_ count: Int) throws(MalformedCBOR) -> Span<UInt8> {
        guard count >= 0, count <= bytes.count - offset else { throw MalformedCBOR() }
        let start = offset
        offset += count
        return bytes.extracting(start..<offset)
    }

    /// Skips one item with all its contents.
    mutating func skipItem() throws(MalformedCBOR) {
        var open = OpenItems()
        repeat {
            if isAtBreak {
                offset += 1
                try open.closeIndefinite()
                continue
            }
            let head = try readHead()
            try open.admit(head)
            switch head.type {
            case .unsigned, .negative, .simple:
                break
            case .tag:
                try open.push(.definite(1))
            case .bytes, .text:
                if let count = try head.count {
                    _ = try readBytes(count)
                } else {
                    try open.push(.chunks(head.type))
                }
            case .array:
                try open.push(head.count.map { .definite($0) } ?? .indefiniteArray)
            case .map:
                try open.push(head.count.map { .definite(2 * $0) } ?? .indefiniteMap(isValueNext: false))
            }
            open.closeFinished()
        } while !open.isEmpty
    }

    private mutating func readInteger(byteCount: Int) throws(MalformedCBOR) -> UInt64 {
        let digits = try readBytes(byteCount)
        var value: UInt64 = 0
        for index in digits.indices { value = value << 8 | UInt64(digits[index]) }
        return value
    }
}

/// The containers that enclose the current position while an item is skipped, innermost last.
private struct OpenItems {
    enum Level {
        /// A container with this many items still to come.
        case definite(Int)
        case indefiniteArray
        case indefiniteMap(isValueNext: Bool)
        /// A chunked string, whose chunks must have its type and a definite length (3.2.3).
        case chunks(CBORType)
    }

    private var levels = InlineArray<8, Level>(repeating: .indefiniteArray)
    private var count = 0

    var isEmpty: Bool { count == 0 }

    /// Counts an item in the container that encloses it.
    mutating func admit(_ head: CBORHead) throws(MalformedCBOR) {
        guard count > 0 else { return }
        switch levels[count - 1] {
        case .definite(let rest): levels[count - 1] = .definite(rest - 1)
        case .indefiniteArray: break
        case .indefiniteMap(let isValueNext): levels[count - 1] = .indefiniteMap(isValueNext: !isValueNext)
        case .chunks(let type):
            guard head.type == type, head.argument != nil else { throw MalformedCBOR() }
        }
    }

    mutating func push(_ level: Level) throws(MalformedCBOR) {
        guard count < CBORReader.depthLimit else { throw MalformedCBOR() }
        levels[count] = level
        count += 1
    }

    /// Closes the containers that have all their items.
    mutating func closeFinished() {
        while count > 0, case .definite(0) = levels[count - 1] { count -= 1 }
    }

    mutating func closeIndefinite() throws(MalformedCBOR) {
        guard count > 0 else { throw MalformedCBOR() }
        switch levels[count - 1] {
        case .definite, .indefiniteMap(isValueNext: true): throw MalformedCBOR()
        case .indefiniteArray, .indefiniteMap(isValueNext: false), .chunks: count -= 1
        }
        closeFinished()
    }
}
