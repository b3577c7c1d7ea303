import Archive
import Ranging

/// Estimates the distances of contacts by a calibration and by the models that the operator gave boards and
/// people.
public struct ContactDistances: Sendable {
    /// Nil if there is none; then no contact has an interval.
    public let calibration: DistanceCalibration?
    private let labels: Labels

    public init(_ calibration: DistanceCalibration?, labels: Labels) {
        self.calibration = calibration
        self.labels = labels
    }

    /// One direction of a contact. The interval has its coverage if the distance hardly changed meanwhile.
    ///
    /// - Parameters:
    ///   - meanDBm: of all readings of the transmitter; nil without samples.
    ///   - transmitter: nil for a device without an identity.
    public func estimate(
        meanDBm: Double?, readingCount: Int, receiver: LabelSubject, transmitter: LabelSubject?
    ) -> DistanceEstimate {
        DistanceEstimate(
            calibration, meanDBm.flatMap { SignalSummary(meanRSSIDBm: $0, readingCount: readingCount) },
            receiver: labels[receiver].model, transmitter: transmitter.flatMap { labels[$0].model })
    }

    /// How `receiver` heard the other board.
    public func estimate(_ receiver: BoardContact.Side, from transmitter: BoardContact.Side)
        -> DistanceEstimate
    {
        estimate(
            meanDBm: receiver.meanDBm, readingCount: receiver.readingCount, receiver: .board(receiver.board),
            transmitter: .board(transmitter.board))
    }

    /// The direction with more readings, unless only the other one is calibrated.
    public func estimate(_ contact: BoardContact) -> DistanceEstimate {
        DistanceEstimate(
            DistanceEstimate.Direction(
                readingCount: contact.first.readingCount, estimate(contact.first, from: contact.second)),
            DistanceEstimate.Direction(
                readingCount: contact.second.readingCount, estimate(contact.second, from: contact.first)))
    }

    /// How a board heard a stranger.
    public func estimate(_ encounter: EncounterSummary) -> DistanceEstimate {
        estimate(
            meanDBm: encounter.rssi?.meanDBm, readingCount: encounter.readingCount,
            receiver: .board(encounter.board), transmitter: encounter.identity.map { .identity($0) })
    }

    /// The coverage of the intervals for people; nil without a calibration.
    public var footnote: String? {
        calibration.map { calibration in
            let nominal = Int((DistanceCalibration.coverage * 100).rounded())
            let measured = calibration.evaluation.calibrated.map {
                let share = ($0.coverage * 1000).rounded() / 10
                return "\(share) % measured in \($0.sessionCount) sessions that it was not fitted to"
            }
            return "distances are intervals with the true one in \(nominal) % of cases "
                + "(\(measured ?? "no pair of models has two sessions to measure it")), if it hardly changed"
        }
    }
}
