import FixedMemory

/// Follows a sudden silence of peers that were heard steadily. Nobody can tell a group that has left from a
/// scan that is deaf, so the agent tries what ends a deafness and costs nothing: it tells the controller
/// everything again, and then resets it, once for each silence.
package struct DepartureWatch: BitwiseCopyable {
    package enum Step: BitwiseCopyable { case renew, reset }

    /// How long the renewed scan has to hear a peer.
    private static let patience = Interval.seconds(7)

    /// When the silence was noticed; nil while there is none.
    private var noticed: Instant?

    /// - Parameter isSilent: whether the expected peers have been silent for too long.
    mutating func advance(isSilent: Bool, now: Instant) -> Step? {
        guard isSilent else {
            noticed = nil
            return nil
        }
        guard let start = noticed else {
            noticed = now
            return .renew
        }
        return now >= start + Self.patience ? .reset : nil
    }
}
