import FixedMemory
import Schemes

/// An Exposure Notification identifier that was heard, with its time in seconds since 1970.
public struct HeardIdentifier: BitwiseCopyable, Equatable, Sendable {
    public let identifier: RollingProximityIdentifier
    public let unixSeconds: UInt64

    public init(_ identifier: RollingProximityIdentifier, at unixSeconds: UInt64) {
        self.identifier = identifier
        self.unixSeconds = unixSeconds
    }
}

/// Finds the heard identifiers that belong to published keys, for millions of keys one after another. It
/// finds the same as `ExposureNotification.matches`, called for every key and every heard identifier.
public struct ExposureKeyMatcher: ~Copyable {
    private let heard: [HeardIdentifier]
    private let set: IdentifierSet
    private var expander: ExposureKeyExpander

    public init(_ heard: [HeardIdentifier]) throws(MatchingError) {
        self.heard = heard
        set = IdentifierSet(heard.map(\.identifier))
        expander = try ExposureKeyExpander()
    }

    /// Calls `visit` with each heard identifier that belongs to the key, within the time tolerance, and its
    /// interval. The calls are ordered by interval, and within an interval by position in the list of heard
    /// identifiers.
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
