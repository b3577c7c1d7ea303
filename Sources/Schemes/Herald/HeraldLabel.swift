import FixedMemory

/// Formats payloads for people.
public enum HeraldLabel {
    /// The size of the longest label.
    public static let maximumByteCount = 320

    /// Writes a label, such as `826/4/123456 Adams Pizza` for a venue, `826/0 simple AayC8A` for a phone and
    /// `826/4 fixed 123456789`.
    ///
    /// The label is one line. Names come from the air, so characters that could move the cursor or reorder
    /// the text become "?".
    public static func write(_ payload: Span<UInt8>, to sink: inout some ByteSink & ~Copyable)
        throws(CapacityError)
    {
        let parsed: HeraldPayload
        do throws(HeraldPayloadError) {
            parsed = try HeraldPayload(parsing: payload)
        } catch {
            try sink.append("unreadable ")
            return try writeShortName(payload, to: &sink)
        }
        switch parsed {
        case .venue(let venue):
            try write(country: venue.country, state: venue.state, to: &sink)
            try sink.append(UInt8(ascii: "/"))
            try sink.append(decimal: venue.location)
            guard !venue.name.isEmpty else { return }
            try sink.append(UInt8(ascii: " "))
            try writeHarmless(venue.name.span, to: &sink)
        case .simple(let simple):
            try write(country: simple.country, state: simple.state, to: &sink)
            if simple.isExpired { return try sink.append(" simple, expired") }
            try sink.append(" simple ")
            try writeShortName(payload, to: &sink)
        case .fixed(let fixed):
            try write(country: fixed.country, state: fixed.state, to: &sink)
            try sink.append(" fixed ")
            try sink.append(decimal: fixed.client)
        case .routed:
            try sink.append("routed ")
            try writeShortName(payload, to: &sink)
        case .other(let header):
            try write(country: header.country, state: header.state, to: &sink)
            try sink.append(UInt8(ascii: " "))
            try sink.append(header.family.name)
            try sink.append(UInt8(ascii: " "))
            try writeShortName(payload, to: &sink)
        }
    }

    /// Writes the short name that Herald's own logs give a payload. It is the first 6 characters of the
    /// base64 of everything after the third byte, or of the whole if it is no longer.
    public static func writeShortName(_ payload: Span<UInt8>, to sink: inout some ByteSink & ~Copyable)
        throws(CapacityError)
    {
        let named = payload.count > 3 ? payload.extracting(3..<payload.count) : payload
        try writeBase64(named.extracting(0..<min(3, named.count)), characterCount: 4, to: &sink)
        guard named.count > 3 else { return }
        try writeBase64(named.extracting(3..<min(6, named.count)), characterCount: 2, to: &sink)
    }

    /// The first characters of the base64 of 0 to 3 bytes.
    private static func writeBase64(
        _ bytes: Span<UInt8>, characterCount: Int, to sink: inout some ByteSink & ~Copyable
    ) throws(CapacityError) {
        guard !bytes.isEmpty else { return }
        var group: UInt32 = 0
        for index in 0..<3 { group = group << 8 | UInt32(index < bytes.count ? bytes[index] : 0) }
        for index in 0..<characterCount {
            let digit = Int(truncatingIfNeeded: group >> UInt32(truncatingIfNeeded: 18 - 6 * index) & 63)
            try sink.append(index > bytes.count ? UInt8(ascii: "=") : base64Alphabet.utf8Start[digit])
        }
    }

    private static var base64Alphabet: StaticString {
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
    }

    private static func write(country: UInt16, state: UInt16, to sink: inout some ByteSink & ~Copyable)
        throws(CapacityError)
    {
        try sink.append(decimal: country)
        try sink.append(UInt8(ascii: "/"))
        try sink.append(decimal: state)
    }

    /// Writes foreign text on one line: characters that could move the cursor or reorder the text become "?".
    public static func writeHarmless(_ text: Span<UInt8>, to sink: inout some ByteSink & ~Copyable)
        throws(CapacityError)
    {
        var start = 0
        while start < text.count {
            var end = start + 1
            while end < text.count, text[end] & 0xc0 == 0x80 { end += 1 }
            let character = text.extracting(start..<end)
            if isHarmless(character) {
                try sink.append(character)
            } else {
                try sink.append(UInt8(ascii: "?"))
            }
            start = end
        }
    }

    /// Whether the character is neither a control character (C0, DEL, C1), nor a line or paragraph separator,
    /// nor a mark that reorders text.
    private static func isHarmless(_ character: Span<UInt8>) -> Bool {
        switch character.count {
        case 1: character[0] >= 0x20 && character[0] != 0x7f
        // U+0080 to U+009F; U+061C.
        case 2: !(character[0] == 0xc2 && character[1] < 0xa0 || character[0] == 0xd8 && character[1] == 0x9c)
        // U+200E, U+200F, U+2028 to U+202E; U+2066 to U+2069.
        case 3 where character[0] == 0xe2 && character[1] == 0x80:
            !(0x8e...0x8f ~= character[2] || 0xa8...0xae ~= character[2])
        case 3 where character[0] == 0xe2 && character[1] == 0x81: !(0xa6...0xa9 ~= character[2])
        default: true
        }
    }
}
