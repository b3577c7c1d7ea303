import Archive
import FixedMemory

/// An edge of the exported network: two participants were in range of each other for some time.
public struct NetworkContact: Sendable, Equatable {
    /// The numbers of both participants, the smaller one first.
    public var first: Int
    public var second: Int
    /// Milliseconds since 1970 UTC.
    public var start: Int64
    public var end: Int64
    /// The worst error of its times, either way, in milliseconds; nil if unknown.
    public var errorMilliseconds: Int64?
    /// The RSSI readings of both sides.
    public var readingCount: Int
    /// The strongest reading of either side, in dBm; nil without samples.
    public var maximumDBm: Int?
    /// Whether each side heard the other.
    public var isMutual: Bool
    /// The worst evidence among the contacts that were joined.
    public var certainty: ContactCertainty

    var pair: PairTable.Pair { PairTable.Pair(first: first, second: second) }

    public var durationMilliseconds: Int64 { end - start }

    /// Joins a later contact of the same pair.
    mutating func join(_ other: NetworkContact) {
        end = max(end, other.end)
        errorMilliseconds = errorMilliseconds.flatMap { own in
            other.errorMilliseconds.map { max(own, $0) }
        }
        readingCount += other.readingCount
        maximumDBm = [maximumDBm, other.maximumDBm].compactMap(\.self).max()
        isMutual = isMutual || other.isMutual
        certainty = max(certainty, other.certainty)
    }
}
