import FixedMemory

/// Extended data, section by section: `code u8 · length u8 · length bytes`.
///
/// Parsed as deployed readers do: a section needs at least 3 bytes, and a length beyond the end means all
/// that is left. One deployed writer, Herald for iOS, counts characters instead of bytes, so that anything
/// after a name like "Café" would be misread. If the bytes are valid only when lengths count characters,
/// lengths are read so.
public struct HeraldSections: ~Escapable {
    public struct Section: ~Escapable {
        public let code: UInt8
        /// At most 255 bytes, except in a text whose length counts characters.
        public let bytes: Span<UInt8>

        @_lifetime(copy bytes)
        init(code: UInt8, bytes: Span<UInt8>) {
            self.code = code
            self.bytes = bytes
        }
    }

    private enum LengthUnit { case bytes, characters }

    private let bytes: Span<UInt8>
    private let unit: LengthUnit
    private var offset = 0
    /// Whether all sections so far were complete and their texts UTF-8.
    private var isSound = true

    /// - Parameter bytes: the bytes that follow a payload's fixed part.
    @_lifetime(copy bytes)
    public init(_ bytes: Span<UInt8>) {
        let makesSense = Self.isSound(bytes, countingIn: .bytes)
        let unit: LengthUnit =
            makesSense || !Self.isSound(bytes, countingIn: .characters) ? .bytes : .characters
        self.init(bytes, countingIn: unit)
    }

    @_lifetime(copy bytes)
    private init(_ bytes: Span<UInt8>, countingIn unit: LengthUnit) {
        self.bytes = bytes
        self.unit = unit
    }

    private static func isSound(_ bytes: Span<UInt8>, countingIn unit: LengthUnit) -> Bool {
        var sections = HeraldSections(bytes, countingIn: unit)
        while sections.next() != nil {}
        return sections.isSound && sections.offset == bytes.count
    }

    /// The number of bytes left that form no section: fewer than three, or those after a code that announces
    /// a longer code.
    public var restCount: Int { bytes.count - offset }

    @_lifetime(copy self)
    public mutating func next() -> Section? {
        guard bytes.count - offset >= 3 else { return nil }
        let code = bytes[offset]
        // 0xFF announces a longer code in an undefined form, so nothing after it can be parsed.
        guard code != 0xff else { return nil }
        let start = offset + 2
        let length = Int(bytes[offset + 1])
        let isText = HeraldSectionCode(rawValue: code)?.kind == .text
        let byteCount = unit == .characters && isText ? byteCount(ofCharacters: length, from: start) : length
        if byteCount > bytes.count - start { isSound = false }
        let end = min(start + byteCount, bytes.count)
        let content = bytes.extracting(start..<end)
        if isText, content.utf8PrefixCount != content.count { isSound = false }
        offset = end
        return Section(code: code, bytes: content)
    }

    /// The length in bytes of `count` characters at `start`; larger than what is left if they do not fit.
    private func byteCount(ofCharacters count: Int, from start: Int) -> Int {
        var end = start
        for _ in 0..<count {
            guard end < bytes.count else { return bytes.count }
            end += 1
            while end < bytes.count, bytes[end] & 0xc0 == 0x80 { end += 1 }
        }
        return end - start
    }
}
