/// One receiver's readings of one transmitter at known distances.
public struct WalkTest: Sendable, Equatable {
    public struct Reading: Sendable, Equatable {
        /// On the log's own clock; only differences are used.
        public let seconds: Double
        public let rssiDBm: Double
        public let distanceCentimetres: Double

        /// - Returns: nil if the RSSI or the distance is outside ``WalkTest/allowedRSSIDBm`` or
        ///   ``WalkTest/allowedDistancesCentimetres``.
        public init?(seconds: Double, rssiDBm: Double, distanceCentimetres: Double) {
            guard seconds.isFinite, WalkTest.allowedRSSIDBm.contains(rssiDBm),
                WalkTest.allowedDistancesCentimetres.contains(distanceCentimetres)
            else { return nil }
            self.seconds = seconds
            self.rssiDBm = rssiDBm
            self.distanceCentimetres = distanceCentimetres
        }
    }

    /// The file that the readings came from, so that a calibration can name what it was made of.
    public struct Source: Sendable, Equatable {
        public let fileName: String
        /// SHA-256 of the file's bytes in lower-case hexadecimal.
        public let sha256: String

        /// - Returns: nil if the name is not printable or the digest is not 64 lower-case hexadecimal digits.
        public init?(fileName: String, sha256: String) {
            guard (1...255).contains(fileName.utf8.count),
                fileName.unicodeScalars.allSatisfy({ $0.properties.generalCategory != .control }),
                sha256.utf8.count == 64,
                sha256.utf8.allSatisfy({ (48...57).contains($0) || (97...102).contains($0) })
            else { return nil }
            self.fileName = fileName
            self.sha256 = sha256
        }
    }

    /// The range of RSSI in the Bluetooth Core specification (HCI LE Advertising Report). Its 127, "not
    /// available", is not a reading.
    public static let allowedRSSIDBm = -127.0...20.0
    public static let allowedDistancesCentimetres = 0.0...10_000.0

    /// Names the occasion. Both phones' logs of one occasion have the same session, because what disturbs one
    /// disturbs the other: a calibration is only ever tested on sessions that it was not fitted to.
    public let session: String
    public let models: ModelPair
    public let source: Source
    /// Never empty.
    public let readings: [Reading]

    /// - Returns: nil if the readings are empty, or the session's name is not a valid name (``ModelPair``).
    public init?(session: String, models: ModelPair, source: Source, readings: [Reading]) {
        guard ModelPair.isName(session), !readings.isEmpty else { return nil }
        self.session = session
        self.models = models
        self.source = source
        self.readings = readings
    }
}
