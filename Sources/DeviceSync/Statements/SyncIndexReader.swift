import FixedMemory

/// Reads the text of `/index` line by line. One or more spaces separate fields. The reader skips fields
/// that a later version appends to a line, and lines of an unknown kind.
public struct SyncIndexReader: ~Escapable {
    public let header: SyncIndexHeader
    private let text: Span<UInt8>
    private var offset: Int

    @_lifetime(copy text)
    public init(_ text: Span<UInt8>) throws(MalformedIndex) {
        self.text = text
        offset = 0
        guard let end = Self.endOfLine(text, from: 0) else { throw MalformedIndex() }
        var fields = FieldReader(text.extracting(0..<end))
        guard let kind = fields.next(), kind.isEqual(to: "tabard-index"), let version = fields.next(),
            version.isEqual(to: "2"), let log = fields.next(), let boot = fields.next(),
            let block = fields.next(), let unit = fields.next(),
            let logDigits = log.after("log="), logDigits.count == 32,
            let high = logDigits.extracting(0..<16).number(radix: 16),
            let low = logDigits.extracting(16..<32).number(radix: 16),
            let bootIdentifier = boot.after("boot=")?.number(radix: 16),
            let blockByteCount = block.after("block=")?.number(radix: 10), blockByteCount <= 0xFFFF_FFFF,
            let unitByteCount = unit.after("unit=")?.number(radix: 10), unitByteCount <= 0xFFFF_FFFF
        else { throw MalformedIndex() }
        var identity = Bytes<16>()
        for index in 0..<8 {
            let shift = UInt64(truncatingIfNeeded: 56 - 8 * index)
            identity[index] = UInt8(truncatingIfNeeded: high >> shift)
            identity[8 + index] = UInt8(truncatingIfNeeded: low >> shift)
        }
        header = SyncIndexHeader(
            logIdentity: identity, bootIdentifier: bootIdentifier,
            blockByteCount: UInt32(truncatingIfNeeded: blockByteCount),
            unitByteCount: UInt32(truncatingIfNeeded: unitByteCount))
        offset = end + 1
    }

    /// Returns the next segment; nil at the end.
    public mutating func next() throws(MalformedIndex) -> SyncIndexSegment? {
        while offset < text.count {
            // A line without a line feed is truncated.
            guard let end = Self.endOfLine(text, from: offset) else { throw MalformedIndex() }
            var fields = FieldReader(text.extracting(offset..<end))
            offset = end + 1
            guard let kind = fields.next(), kind.isEqual(to: "segment") else { continue }
            guard let ordinal = fields.next()?.number(radix: 10), ordinal <= 0xFFFF_FFFF,
                let byteCount = fields.next()?.number(radix: 10), byteCount <= 0xFFFF_FFFF,
                let state = fields.next()
            else { throw MalformedIndex() }
            let isOpen = state.isEqual(to: "open")
            guard isOpen || state.isEqual(to: "closed") else { throw MalformedIndex() }
            return SyncIndexSegment(
                ordinal: UInt32(truncatingIfNeeded: ordinal),
                byteCount: UInt32(truncatingIfNeeded: byteCount),
                isOpen: isOpen)
        }
        return nil
    }

    private static func endOfLine(_ text: Span<UInt8>, from start: Int) -> Int? {
        for index in start..<text.count where text[index] == 0x0A { return index }
        return nil
    }
}

/// The text is not an index, or it has a later version.
public struct MalformedIndex: Error, Equatable {
    public init() {}
}

/// Splits a line into fields separated by spaces.
private struct FieldReader: ~Escapable {
    let line: Span<UInt8>
    var offset = 0

    @_lifetime(copy line)
    init(_ line: Span<UInt8>) { self.line = line }

    @_lifetime(copy self)
    mutating func next() -> Span<UInt8>? {
        while offset < line.count, line[offset] == 0x20 { offset += 1 }
        let start = offset
        while offset < line.count, line[offset] != 0x20 { offset += 1 }
        return offset == start ? nil : line.extracting(start..<offset)
    }
}

extension Span where Element == UInt8 {
    /// Returns the bytes after `prefix`; nil if these bytes do not start with it.
    @_lifetime(copy self)
    fileprivate func after(_ prefix: StaticString) -> Span<UInt8>? {
        let count = prefix.utf8CodeUnitCount
        guard count <= self.count, extracting(0..<count).isEqual(to: prefix) else { return nil }
        return extracting(count...)
    }

    /// Parses the whole span as a number; nil for any other text or more than 64 bits.
    fileprivate func number(radix: UInt64) -> UInt64? {
        guard !isEmpty else { return nil }
        var value: UInt64 = 0
        for index in indices {
            let digit: UInt8
            switch self[index] {
            case UInt8(ascii: "0")...UInt8(ascii: "9"): digit = self[index] - UInt8(ascii: "0")
            case UInt8(ascii: "a")...UInt8(ascii: "f"): digit = self[index] - UInt8(ascii: "a") + 10
            case UInt8(ascii: "A")...UInt8(ascii: "F"): digit = self[index] - UInt8(ascii: "A") + 10
            default: return nil
            }
            guard UInt64(digit) < radix else { return nil }
            let (product, overflow) = value.multipliedReportingOverflow(by: radix)
            let (sum, carry) = product.addingReportingOverflow(UInt64(digit))
            guard !overflow, !carry else { return nil }
            value = sum
        }
        return value
    }
}
