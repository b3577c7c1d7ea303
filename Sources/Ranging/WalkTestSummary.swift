/// A walk test reduced for the fit and its evaluation: the mean RSSI per distance and per short window.
struct WalkTestSummary: Sendable {
    /// All readings at one distance, rounded to whole centimetres.
    ///
    /// Multipath makes RSSI at one place differ by several dB from that at a place some centimetres away, and
    /// stays the same for as long as nothing moves. So a place counts once, however long the phones lay
    /// there.
    struct Place: Sendable {
        let distanceCentimetres: Double
        let meanRSSIDBm: Double
        /// Of the readings around their mean.
        let readingVariance: Double
        let windows: [SignalSummary]
    }

    /// Windows are as long as a board's samples (`encounters.sampleSeconds`), for these are what contacts
    /// have.
    static let windowSeconds = 8.0

    let session: String
    let models: ModelPair
    /// In ascending order of distance.
    let places: [Place]

    init(_ test: WalkTest) {
        session = test.session
        models = test.models
        var readings: [Int: [WalkTest.Reading]] = [:]
        for reading in test.readings {
            readings[Int(reading.distanceCentimetres.rounded()), default: []].append(reading)
        }
        places = readings.sorted { $0.key < $1.key }.map { Place($0.key, $0.value) }
    }

    var farthestCentimetres: Double { places.last?.distanceCentimetres ?? 0 }
}

extension WalkTestSummary.Place {
    fileprivate init(_ distanceCentimetres: Int, _ readings: [WalkTest.Reading]) {
        self.distanceCentimetres = Double(distanceCentimetres)
        let mean = readings.mean(\.rssiDBm)
        meanRSSIDBm = mean
        readingVariance = readings.mean { ($0.rssiDBm - mean) * ($0.rssiDBm - mean) }
        var windows: [SignalSummary] = []
        var first = readings.startIndex
        for index in readings.indices {
            // The clock of a log may be set back; a window also ends there.
            let elapsed = readings[index].seconds - readings[first].seconds
            guard elapsed < 0 || elapsed >= WalkTestSummary.windowSeconds else { continue }
            windows.append(SignalSummary(readings[first..<index]))
            first = index
        }
        windows.append(SignalSummary(readings[first...]))
        self.windows = windows
    }
}
