/// Where a transmitter was, as far as its RSSI tells.
public struct DistanceInterval: Sendable, Equatable, CustomStringConvertible {
    public let lowerCentimetres: Int
    /// Nil if the distance may be farther than the calibration reaches.
    public let upperCentimetres: Int?
    /// How far the walk tests went.
    public let rangeCentimetres: Int

    public func contains(centimetres distance: Double) -> Bool {
        distance >= Double(lowerCentimetres) && (upperCentimetres.map { distance <= Double($0) } ?? true)
    }

    /// The width; of an open interval only its part within the calibration's range.
    public var widthCentimetres: Int { (upperCentimetres ?? rangeCentimetres) - lowerCentimetres }

    public var description: String {
        switch (lowerCentimetres, upperCentimetres) {
        case (let lower, nil): "\(lower) cm or more"
        case (0, let upper?): "up to \(upper) cm"
        case (let lower, let upper?): "\(lower) to \(upper) cm"
        }
    }
}
