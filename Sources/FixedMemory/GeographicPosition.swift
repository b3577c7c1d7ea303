/// A place on Earth in WGS 84, to a millionth of a degree (about 10 cm).
public struct GeographicPosition: BitwiseCopyable, Equatable, Sendable {
    /// The latitude, from -90,000,000 (the South Pole) to 90,000,000.
    public let latitudeMicrodegrees: Int32
    /// The longitude, from -180,000,000 to 180,000,000; east of Greenwich is positive.
    public let longitudeMicrodegrees: Int32

    /// Nil if a coordinate is out of range.
    public init?(latitudeMicrodegrees latitude: Int32, longitudeMicrodegrees longitude: Int32) {
        guard latitude >= -90_000_000, latitude <= 90_000_000, longitude >= -180_000_000,
            longitude <= 180_000_000
        else { return nil }
        latitudeMicrodegrees = latitude
        longitudeMicrodegrees = longitude
    }

    /// Parses latitude and longitude in degrees: `51.507351, -0.127758`. Nil for anything else, and for
    /// more than six decimals.
    public init?(parsing text: Span<UInt8>) {
        var offset = 0
        guard let latitude = Self.takeMicrodegrees(text, &offset), offset < text.count,
            text[offset] == UInt8(ascii: ",")
        else { return nil }
        offset += 1
        while offset < text.count, text[offset] == UInt8(ascii: " ") { offset += 1 }
        guard let longitude = Self.takeMicrodegrees(text, &offset), offset == text.count else { return nil }
        self.init(latitudeMicrodegrees: latitude, longitudeMicrodegrees: longitude)
    }

    @inline(never)
    private static func takeMicrodegrees(_ text: Span<UInt8>, _ offset: inout Int) -> Int32? {
        let isNegative = offset < text.count && text[offset] == UInt8(ascii: "-")
        if isNegative { offset += 1 }
        var value: Int32 = 0
        guard takeDigits(text, &offset, limit: 3, onto: &value) != nil else { return nil }
        var decimalCount = 0
        if offset < text.count, text[offset] == UInt8(ascii: ".") {
            offset += 1
            guard let count = takeDigits(text, &offset, limit: 6, onto: &value) else { return nil }
            decimalCount = count
        }
        for _ in decimalCount..<6 { value *= 10 }
        return isNegative ? -value : value
    }

    /// - Returns: The number of digits taken; nil if there are none, or more than `limit`.
    private static func takeDigits(
        _ text: Span<UInt8>, _ offset: inout Int, limit: Int, onto value: inout Int32
    ) -> Int? {
        let start = offset
        while offset < text.count, case UInt8(ascii: "0")...UInt8(ascii: "9") = text[offset] {
            guard offset - start < limit else { return nil }
            value = value * 10 + Int32(text[offset] - UInt8(ascii: "0"))
            offset += 1
        }
        return offset > start ? offset - start : nil
    }
}

extension ByteSink where Self: ~Copyable {
    /// Appends latitude and longitude with exactly six decimals: `51.507351, -0.127758`.
    public mutating func append(_ position: GeographicPosition) throws(CapacityError) {
        try append(microdegrees: position.latitudeMicrodegrees)
        try append(", ")
        try append(microdegrees: position.longitudeMicrodegrees)
    }

    private mutating func append(microdegrees value: Int32) throws(CapacityError) {
        if value < 0 { try append("-") }
        let magnitude = UInt64(value.magnitude)
        try append(decimal: magnitude / 1_000_000)
        try append(".")
        try append(decimal: magnitude, digitCount: 6)
    }
}
