import FixedMemory

extension GeographicPosition {
    /// Latitude and longitude in degrees: "51.507351, -0.127758".
    public var text: String {
        var text = FixedBuffer<32>()
        // The buffer has room for the longest text.
        try? text.append(self)
        return String(decoding: [UInt8](copying: text.span), as: UTF8.self)
    }

    public var latitudeDegrees: Double { Double(latitudeMicrodegrees) / 1_000_000 }
    public var longitudeDegrees: Double { Double(longitudeMicrodegrees) / 1_000_000 }
}
