import FixedMemory
import HCI
import Peers
import Testing

@testable import Radio

/// A scan that comes to listen less hears fewer reports. The agent must not take that for a silence, and must
/// not forget a silence that has begun.
@Suite struct TimingChangeTests {
    private static let device = [0x02, 0x01, 0x00, 0x01, 0x07, 0, 0, 0, 0, 0xc0, 3, 2, 1, 6, 0xc4] as [UInt8]

    private static func observation(_ statistics: ScanStatistics, isScanning: Bool) -> RadioHealth.Observation
    {
        RadioHealth.Observation(
            statistics: statistics, isScanning: isScanning, proof: ScanProof(isPossible: true),
            hasLinks: false,
            hasRoles: true, refusal: nil, scanStarts: nil, moves: 0, skippedByteCount: 0, malformedEvents: 0)
    }

    /// A device is heard for a minute, and then not, because the scan is interrupted again and again. The
    /// scan gets a sparser timing `seconds` after the last report.
    private func expectation(afterSparserTimingFollowing seconds: UInt64) throws
        -> ReceptionBaseline.Expectation
    {
        var recorder = try Recorder(settings: RecorderSettings(), hashSeed: 1)
        var statistics = ScanStatistics()
        var health = RadioHealth()
        let packet = [4, 0x3e, UInt8(Self.device.count)] + Self.device
        for second in 0..<(60 + seconds) {
            let now = Instant.start + .seconds(second)
            let isHeard = second < 60
            if isHeard, case .advertisingReports(let reports)? = try? Event(packet.span) {
                ReportIntake.take(reports, recorder: &recorder, statistics: &statistics, now: now)
            }
            _ = health.advance(
                Self.observation(statistics, isScanning: isHeard), peers: recorder.peers, now: now)
        }
        health.recordTimingChange(
            Self.observation(statistics, isScanning: false), isSparser: true,
            now: .start + .seconds(59 + seconds))
        return health.expectation
    }

    @Test func `no device is expected of a sparser scan until it is heard steadily again`() throws {
        #expect(try expectation(afterSparserTimingFollowing: 1) == .nobody)
    }

    @Test func `a silence in which the scan paused all the time goes on under a sparser timing`() throws {
        #expect(try expectation(afterSparserTimingFollowing: 60) == .few)
    }
}
