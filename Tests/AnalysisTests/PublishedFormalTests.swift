import Foundation
import Testing
import TextFormats

@testable import Analysis

@Suite(.enabled(if: PublishedLogs.archive != nil, "no herald-2020-12-08.zip in $TABARD_DATA, or no unzip"))
struct PublishedFormalTests {
    private func participants() throws -> [FormalParticipant] {
        try ["A10", "A20", "Denmark", "Netherlands"].map { name in
            var detection: [UInt8] = []
            try PublishedLogs.read(name + "/detection.csv") { detection += $0 }
            let device = try #require(FormalDevice(name: name, detectionLog: detection))
            var observations = FormalObservations()
            var reader = ContactsReader()
            try PublishedLogs.read(name + "/contacts.csv") { try reader.read($0) { observations.append($0) } }
            try reader.finish { observations.append($0) }
            #expect(reader.malformedLineCount == 0)
            return FormalParticipant(device: device, observations: observations)
        }
    }

    private func time(_ text: String) throws -> Int64 {
        try #require(CivilTime.seconds(ArraySlice(Array(text.utf8))))
    }

    @Test func `the published figures are computed exactly`() throws {
        let participants = try participants()
        #expect(participants.map(\.device.shortName) == ["AayC8A", "EVoqIA", "I3bFYw", "aq0oUQ"])
        #expect(participants.map(\.observations.rowCount).max() == 235_552)
        #expect(participants.map(\.observations.rowCount).min() == 97_003)

        var test = try #require(
            FormalTest(
                startSeconds: time("2020-12-08 23:20:00"), endSeconds: time("2020-12-09 11:00:00")))
        test.outerStartSeconds = try time("2020-12-08 23:00:00")
        test.outerEndSeconds = try time("2020-12-09 11:20:00")
        let published = test.result(of: participants)
        #expect(published.detectedPairCount == 12)
        #expect(published.maximumPairCount == 12)
        #expect(published.maximumWindowCountPerPair == 1_400)
        #expect(published.windowCount == 16_799)
        #expect(published.maximumWindowCount == 16_800)
        #expect(abs(published.missedWindowPercent - 0.005_952_4) < 5e-8)
        #expect(published.firstHourWindowCount == 323)
        #expect(published.lastHourWindowCount == 322)
        #expect(abs(published.longevityErrorPercent - 0.069_4) < 5e-5)
        // The script's quirk: Denmark's windows begin at its own first contact.
        #expect(published.pairs.first { $0.observer == 2 && $0.observed == 1 }?.windowCount == 1_401)

        // The scripts of 2021 and later use the first and last hour of the test itself.
        test.outerStartSeconds = test.startSeconds
        test.outerEndSeconds = test.endSeconds
        let later = test.result(of: participants)
        #expect(later.firstHourWindowCount == 484)
        #expect(later.lastHourWindowCount == 482)
        #expect(abs(later.longevityErrorPercent - 0.138_9) < 5e-5)
    }
}
