import FixedMemory

/// A CBOR map (RFC 8949) with text keys, read in place. The initialiser checks that the whole item is
/// well-formed. Values are then looked up by key, and unused keys are skipped, whatever type their values
/// have.
///
/// Definite and indefinite lengths are supported. A chunked text or byte string may occur in the map, but
/// its value cannot be read. If a key occurs twice, the first one is used.
public struct CBORMap: ~Escapable {
    /// The bytes from the first pair on, without the map's head; bytes after the map are included.
    private let pairs: Span<UInt8>
    /// The number of pairs; nil for an indefinite length.
    private let pairCount: Int?

    /// - Throws: `MalformedCBOR` unless `bytes` start with a well-formed map. Bytes after the map are
    ///   ignored.
    @_lifetime(copy bytes)
    public init(_ bytes: Span<UInt8>) throws(MalformedCBOR) {
        var check = CBORReader(bytes)
        try check.skipItem()
        var reader = CBORReader(bytes)
        let head = try reader.readHead()
        guard head.type == .map else { throw MalformedCBOR() }
        pairCount = try head.count
        pairs = bytes.extracting(reader.offset..<bytes.count)
    }

    /// Like ``init(_:)``, but accepts empty input as an empty map: requests without arguments may have no
    /// body.
    @_lifetime(copy bytes)
    public init(orEmpty bytes: Span<UInt8>) throws(MalformedCBOR) {
        if bytes.isEmpty {
            self.init(pairs: bytes, pairCount: 0)
        } else {
            try self.init(bytes)
        }
    }

    @_lifetime(copy pairs)
    private init(pairs: Span<UInt8>, pairCount: Int?) {
        self.pairs = pairs
        self.pairCount = pairCount
    }

    public func unsigned(_ key: StaticString) throws(MalformedCBOR) -> UInt64? {
        var reader = CBORReader(pairs)
        guard try seek(key, &reader) else { return nil }
        let head = try reader.readHead()
        guard head.type == .unsigned, let value = head.argument else { throw MalformedCBOR() }
        return value
    }

    @_lifetime(copy self)
    public func text(_ key: StaticString) throws(MalformedCBOR) -> Span<UInt8>? {
        try string(key, .text)
    }

    @_lifetime(copy self)
    public func bytes(_ key: StaticString) throws(MalformedCBOR) -> Span<UInt8>? {
        try string(key, .bytes)
    }

    /// The value of a key as a block of exactly `count` bytes; any other length is malformed.
    public func block<let count: Int>(
        _ key: StaticString, of type: Bytes<count>.Type = Bytes<count>.self
    ) throws(MalformedCBOR) -> Bytes<count>? {
        guard let bytes = try bytes(key) else { return nil }
        guard let block = Bytes<count>(bytes) else { throw MalformedCBOR() }
        return block
    }

    @_lifetime(copy self)
    public func map(_ key: StaticString) throws(MalformedCBOR) -> CBORMap? {
        var reader = CBORReader(pairs)
        guard try seek(key, &reader) else { return nil }
        return try CBORMap(pairs.extracting(reader.offset..<pairs.count))
    }

    @_lifetime(copy self)
    private func string(_ key: StaticString, _ type: CBORType) throws(MalformedCBOR) -> Span<UInt8>? {
        var reader = CBORReader(pairs)
        guard try seek(key, &reader) else { return nil }
        let head = try reader.readHead()
        guard head.type == type, let count = try head.count else { throw MalformedCBOR() }
        return try reader.readBytes(count)
    }

    /// Moves `reader` to the value of `key`; returns false if the map does not contain it.
    private func seek(_ key: StaticString, _ reader: inout CBORReader) throws(MalformedCBOR) -> Bool {
        var index = 0
        while pairCount.map({ index < $0 }) ?? !reader.isAtBreak {
            let start = reader.offset
            let head = try reader.readHead()
            if head.type == .text, let count = try head.count {
                let name = try reader.readBytes(count)
                if name.isEqual(to: key) { return true }
            } else {
                reader.offset = start
                try reader.skipItem()
            }
            try reader.skipItem()
            index += 1
        }
        return false
    }
}

/// The bytes are not CBOR, are truncated, nest too deeply, or hold a different type than requested.
public struct MalformedCBOR: Error, Equatable {
    public init() {}
}
