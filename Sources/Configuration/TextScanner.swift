import FixedMemory

/// Splits a text from front to back into names, values, blanks, comments and line ends, as defined by TOML
/// 1.0.
struct TextScanner: ~Escapable {
    private let bytes: Span<UInt8>
    private var offset = 0
    /// The line of the next byte, counted from 1.
    private(set) var line: UInt32 = 1

    @_lifetime(copy bytes)
    init(_ bytes: Span<UInt8>) { self.bytes = bytes }

    var isAtEnd: Bool { offset == bytes.count }
    private var next: UInt8? { offset < bytes.count ? bytes[offset] : nil }

    mutating func take(_ byte: UInt8) -> Bool {
        guard next == byte else { return false }
        offset += 1
        return true
    }

    mutating func skipBlanks() {
        while let byte = next, byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") { offset += 1 }
    }

    /// Takes blanks, a comment, and the end of the line or of the text.
    @inline(never)
    mutating func takeRestOfLine() throws(ConfigurationProblem) {
        skipBlanks()
        if next == UInt8(ascii: "#") {
            while let byte = next, byte != UInt8(ascii: "\n"), byte != UInt8(ascii: "\r") { offset += 1 }
        }
        guard !isAtEnd else { return }
        _ = take(UInt8(ascii: "\r"))
        guard take(UInt8(ascii: "\n")) else { throw .trailingText }
        line &+= 1
    }

    /// Skips the rest of a line without content; returns whether there was one.
    mutating func skipEmptyLine() throws(ConfigurationProblem) -> Bool {
        skipBlanks()
        switch next {
        case nil: return false
        case UInt8(ascii: "#"), UInt8(ascii: "\r"), UInt8(ascii: "\n"):
            try takeRestOfLine()
            return true
        default: return false
        }
    }

    /// Takes the name of a section or key, bare or in quotes. Truncation to 63 bytes is harmless, because no
    /// known name is that long.
    @inline(never)
    mutating func takeName() throws(ConfigurationProblem) -> FixedText<64> {
        if next == UInt8(ascii: "\"") || next == UInt8(ascii: "'") {
            guard case .text(let text) = try takeText(), let name = FixedText<64>(text.span) else {
                throw .keyMalformed
            }
            return name
        }
        let start = offset
        while let byte = next, Self.isNameCharacter(byte) { offset += 1 }
        guard offset > start else { throw .keyMalformed }
        return FixedText<64>(bytes.extracting(start..<min(offset, start + 63))) ?? FixedText()
    }

    mutating func takeValue() throws(ConfigurationProblem) -> ConfigurationValue {
        switch next {
        case nil, UInt8(ascii: "#"), UInt8(ascii: "\r"), UInt8(ascii: "\n"): throw .valueMissing
        case UInt8(ascii: "\""), UInt8(ascii: "'"): return try takeText()
        case UInt8(ascii: "["), UInt8(ascii: "{"): throw .valueUnsupported
        default: return try takeWord()
        }
    }

    // MARK: Texts

    private mutating func takeText() throws(ConfigurationProblem) -> ConfigurationValue {
        let quote = bytes[offset]
        offset += 1
        if take(quote) {
            // Two quotes are an empty text; three begin a multi-line text, which is not supported.
            guard next != quote else { throw .valueUnsupported }
            return .text(FixedText())
        }
        var text = TextCollector()
        while let byte = next, byte != UInt8(ascii: "\n"), byte != UInt8(ascii: "\r") {
            offset += 1
            if byte == quote { return text.value }
            if byte == UInt8(ascii: "\\"), quote == UInt8(ascii: "\"") {
                try takeEscape(into: &text)
            } else {
                text.append(byte)
            }
        }
        throw .unterminatedText
    }

    private mutating func takeEscape(into text: inout TextCollector) throws(ConfigurationProblem) {
        guard let kind = next else { throw .unterminatedText }
        offset += 1
        switch kind {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"): text.append(kind)
        case UInt8(ascii: "b"), UInt8(ascii: "t"), UInt8(ascii: "n"), UInt8(ascii: "f"), UInt8(ascii: "r"):
            throw .textHoldsControlCharacter
        case UInt8(ascii: "u"): try text.append(try takeScalar(digitCount: 4))
        case UInt8(ascii: "U"): try text.append(try takeScalar(digitCount: 8))
        default: throw .escapeMalformed
        }
    }

    private mutating func takeScalar(digitCount: Int) throws(ConfigurationProblem) -> Unicode.Scalar {
        var value: UInt32 = 0
        for _ in 0..<digitCount {
            guard let byte = next, let digit = hexadecimalValue(byte) else { throw .escapeMalformed }
            value = value << 4 | UInt32(digit)
            offset += 1
        }
        // Surrogates and numbers above U+10FFFF are not characters.
        guard let scalar = Unicode.Scalar(value) else { throw .escapeMalformed }
        return scalar
    }

    // MARK: Numbers and words

    private mutating func takeWord() throws(ConfigurationProblem) -> ConfigurationValue {
        let start = offset
        while let byte = next, !Self.endsWord(byte) { offset += 1 }
        let word = bytes.extracting(start..<offset)
        guard !word.isEmpty else { throw .valueMissing }
        if word.isEqual(to: "true") { return .boolean(true) }
        if word.isEqual(to: "false") { return .boolean(false) }
        switch word[0] {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "+"), UInt8(ascii: "-"):
            return try Self.number(word)
        default: throw .textUnquoted
        }
    }

    private static func number(_ word: Span<UInt8>) throws(ConfigurationProblem) -> ConfigurationValue {
        let isSigned = word[0] == UInt8(ascii: "+") || word[0] == UInt8(ascii: "-")
        let digits = word.extracting((isSigned ? 1 : 0)..<word.count)
        var magnitude: UInt64 = 0
        var isHuge = false
        var wasDigit = false
        for index in digits.indices {
            switch digits[index] {
            case UInt8(ascii: "0")...UInt8(ascii: "9"):
                wasDigit = true
                if magnitude > 900_000_000_000_000_000 { isHuge = true }
                if !isHuge { magnitude = magnitude * 10 + UInt64(digits[index] - UInt8(ascii: "0")) }
            case UInt8(ascii: "_") where wasDigit: wasDigit = false
            case UInt8(ascii: "."), UInt8(ascii: ":"), UInt8(ascii: "-"), UInt8(ascii: "e"),
                UInt8(ascii: "E"):
                // The word is a fraction, a time or a date.
                throw wasDigit ? .valueUnsupported : .numberMalformed
            default: throw .numberMalformed
            }
        }
        guard wasDigit, digits.count == 1 || digits[0] != UInt8(ascii: "0") else { throw .numberMalformed }
        if isHuge { return .hugeInteger }
        let number = Int64(truncatingIfNeeded: magnitude)
        return .integer(word[0] == UInt8(ascii: "-") ? -number : number)
    }

    private static func endsWord(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "\r"), UInt8(ascii: "\n"), UInt8(ascii: "#"),
            UInt8(ascii: "="), UInt8(ascii: "\""), UInt8(ascii: "'"), UInt8(ascii: ","):
            true
        default: false
        }
    }

    private static func isNameCharacter(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "-"):
            true
        default: false
        }
    }
}

/// Collects a text: its first 255 bytes, and its full length.
private struct TextCollector {
    private var bytes = FixedBuffer<255>()
    private var byteCount = 0

    mutating func append(_ byte: UInt8) {
        byteCount += 1
        try? bytes.append(byte)
    }

    mutating func append(_ scalar: Unicode.Scalar) throws(ConfigurationProblem) {
        guard scalar.value >= 0x20, scalar.value != 0x7f else { throw .textHoldsControlCharacter }
        guard let encoded = UTF8.encode(scalar) else { throw .escapeMalformed }
        for byte in encoded { append(byte) }
    }

    var value: ConfigurationValue {
        guard byteCount <= 255, let text = FixedText<256>(bytes.span) else {
            return .longText(byteCount: byteCount)
        }
        return .text(text)
    }
}
