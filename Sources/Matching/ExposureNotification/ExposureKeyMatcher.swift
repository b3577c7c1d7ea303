import FixedMemory
import Schemes

/// An identifier of Exposure Notification that was heard, and when, in seconds since 1970.
public struct HeardIdentifier: BitwiseCopyable, Equatable, Sendable {
    public let identifier: RollingProximityIdentifier
    public let unixSeconds: UInt64

    public init(_ identifier: RollingProximityIdentifier, at unixSeconds: UInt64) {
        self.identifier = identifier
        self.unixSeconds = unixSeconds
    }
}

/// Finds in what was heard whatever belongs to published keys, millions of keys one after another. It finds what
/// `ExposureNotification.matches` finds, asked for each key and each that was heard.
public struct ExposureKeyMatcher: ~Copyable {
    private let heard: [HeardIdentifier]
    private let set: IdentifierSet
    private var expander: ExposureKeyExpander

    public init(_ heard: [HeardIdentifier]) throws(MatchingError) {
        self.heard = heard
        set = IdentifierSet(heard.map(\.identifier))
        expander = try ExposureKeyExpander()
    }

    /// Calls `visit` with each place in what was heard that is the key's, within the tolerance, and its interval; by
    /// intervals, and within one by places.
    public mutating func match(
        _ key: TemporaryExposureKey,
        _ visit: (_ place: Int, _ interval: ExposureNotificationInterval) -> Void
    ) throws(MatchingError) {
        try expander.expand(key)
        set.forEach(in: expander.identifiers) { index, places in
            let interval = ExposureNotificationInterval(
                number: key.rollingStart.number + UInt32(truncatingIfNeeded: index))
            let validity = interval.validity.widened(by: ExposureNotification.toleranceSeconds)
            for place in places where validity.contains(heard[place].unixSeconds) { visit(place, interval) }
        }
    }
}
