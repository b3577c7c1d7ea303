import Archive
import Ranging

extension ContactNetwork {
    /// The distance of a contact by the direction that says more.
    func distance(_ contact: NetworkContact) throws(ArchiveError) -> DistanceEstimate {
        let (first, second) = (try participants[contact.first].model, try participants[contact.second].model)
        return DistanceEstimate(
            direction(contact.signalAtFirst, receiver: first, transmitter: second),
            direction(contact.signalAtSecond, receiver: second, transmitter: first))
    }

    private func direction(
        _ signal: SignalSummary?, receiver: String?, transmitter: String?
    ) -> DistanceEstimate.Direction {
        DistanceEstimate.Direction(
            readingCount: signal?.readingCount ?? 0,
            DistanceEstimate(parameters.calibration, signal, receiver: receiver, transmitter: transmitter))
    }
}
