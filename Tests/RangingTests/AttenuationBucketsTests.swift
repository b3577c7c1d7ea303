import Testing

@testable import Ranging

@Suite struct AttenuationBucketsTests {
    private func part(_ rssiDBm: Double, _ txPowerDBm: Int?, seconds: Double = 8) throws
        -> AttenuationBuckets.Part
    {
        try unwrap(AttenuationBuckets.Part(seconds: seconds, meanRSSIDBm: rssiDBm, txPowerDBm: txPowerDBm))
    }

    @Test func `attenuation is transmit power less corrected RSSI, rounded`() throws {
        #expect(try part(-60, 8).attenuationDB() == 68)
        #expect(try part(-60, 8).attenuationDB(receiverCorrectionDB: 5) == 63)
        #expect(try part(-60.4, 0).attenuationDB() == 60)
        #expect(try part(-60.6, 0).attenuationDB() == 61)
        #expect(try part(10, -20).attenuationDB() == 0)
    }

    @Test func `bounds belong to the bucket below`() throws {
        let buckets = AttenuationBuckets(
            try [-50, -51, -70, -71, -90, -91].enumerated().map { try part($1, 0, seconds: Double(1 << $0)) })
        #expect(buckets.immediateSeconds == 1)
        #expect(buckets.nearSeconds == 2 + 4)
        #expect(buckets.mediumSeconds == 8 + 16)
        #expect(buckets.otherSeconds == 32)
        #expect(buckets.unknownSeconds == 0)
    }

    @Test func `an authority's thresholds replace the defaults`() throws {
        let thresholds = try unwrap(AttenuationBuckets.Thresholds(immediateDB: 55, nearDB: 63, mediumDB: 70))
        let buckets = AttenuationBuckets(
            try [-55, -63, -70, -71].map { try part($0, 0) }, thresholds: thresholds)
        #expect(
            [buckets.immediateSeconds, buckets.nearSeconds, buckets.mediumSeconds, buckets.otherSeconds]
                == [8, 8, 8, 8])
    }

    @Test(arguments: [nil, -51, 21, 127] as [Int?])
    func `without a power that phones have, time is unknown, not guessed`(_ power: Int?) throws {
        let buckets = AttenuationBuckets([try part(-60, power)])
        #expect(buckets.unknownSeconds == 8)
        #expect(
            buckets.immediateSeconds + buckets.nearSeconds + buckets.mediumSeconds + buckets.otherSeconds == 0
        )
        for power in [-50, 20] { #expect(AttenuationBuckets([try part(-60, power)]).unknownSeconds == 0) }
    }

    @Test func `all time is in one bucket`() throws {
        var random = SplitMix64(state: 3)
        let parts = try (0..<500).map { _ in
            try part(
                Double.random(in: -127...20, using: &random), Int.random(in: -60...30, using: &random),
                seconds: 1)
        }
        let all = AttenuationBuckets(parts)
        #expect(
            all.immediateSeconds + all.nearSeconds + all.mediumSeconds + all.otherSeconds + all.unknownSeconds
                == 500)
    }

    @Test func `thresholds that fall and parts that cannot be are refused`() {
        typealias Thresholds = AttenuationBuckets.Thresholds
        #expect(Thresholds(immediateDB: 60, nearDB: 50, mediumDB: 70) == nil)
        #expect(Thresholds(immediateDB: 50, nearDB: 70, mediumDB: 60) == nil)
        #expect(Thresholds(immediateDB: -1, nearDB: 0, mediumDB: 0) == nil)
        #expect(Thresholds(immediateDB: 0, nearDB: 0, mediumDB: 256) == nil)
        #expect(Thresholds(immediateDB: 50, nearDB: 70, mediumDB: 90) == .exposureNotification)
        for seconds in [-1, 86_401, .nan, .infinity] {
            #expect(AttenuationBuckets.Part(seconds: seconds, meanRSSIDBm: -60, txPowerDBm: 0) == nil)
        }
        #expect(AttenuationBuckets.Part(seconds: 1, meanRSSIDBm: 21, txPowerDBm: 0) == nil)
    }

    @Test func `an absurd receiver correction leaves the attenuation unknown`() throws {
        #expect(try part(-60, 0).attenuationDB(receiverCorrectionDB: .max) == nil)
    }
}
