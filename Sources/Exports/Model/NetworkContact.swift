import Archive
import FixedMemory
import Ranging
import TextFormats

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
    /// The mean signal of the second participant at the first one, and the other way round; nil without
    /// samples.
    public var signalAtFirst: SignalSummary?
    public var signalAtSecond: SignalSummary?
    /// Whether each side heard the other.
    public var isMutual: Bool
    /// The evidence for who met.
    public var certainty: ContactCertainty

    var pair: PairTable.Pair { PairTable.Pair(first: first, second: second) }

    public var durationMilliseconds: Int64 { end - start }

    /// The same with its start rounded down and its end rounded up to multiples of a step in milliseconds.
    func rounded(to step: Int64) -> NetworkContact {
        var contact = self
        contact.start = CivilTime.floor(start, by: step) * step
        contact.end = CivilTime.floor(end.addingClamped(step - 1), by: step) * step
        return contact
    }

    /// Joins a later contact of the same pair with the same certainty.
    mutating func join(_ other: NetworkContact) {
        end = max(end, other.end)
        errorMilliseconds = errorMilliseconds.flatMap { own in
            other.errorMilliseconds.map { max(own, $0) }
        }
        readingCount += other.readingCount
        maximumDBm = [maximumDBm, other.maximumDBm].compactMap(\.self).max()
        signalAtFirst = SignalSummary(combining: [signalAtFirst, other.signalAtFirst].compactMap(\.self))
        signalAtSecond = SignalSummary(combining: [signalAtSecond, other.signalAtSecond].compactMap(\.self))
        isMutual = isMutual || other.isMutual
    }
}

extension NetworkContact: Comparable {
    /// In order of time, then of the participants.
    public static func < (one: NetworkContact, other: NetworkContact) -> Bool {
        (one.start, one.first, one.second, one.end, one.certainty)
            < (other.start, other.first, other.second, other.end, other.certainty)
    }
}

extension NetworkContact {
    /// - Parameters:
    ///   - first: the number of the board that was registered earlier, or that met the stranger.
    ///   - second: that of the other one.
    init(_ contact: TimedContact, first: Int, second: Int) {
        switch contact {
        case .boards(let contact):
            self.init(
                first: first, second: second, start: contact.start.milliseconds,
                end: contact.end.milliseconds,
                errorMilliseconds: contact.clockError.map { Int64(clamping: $0.milliseconds) },
                readingCount: contact.first.readingCount + contact.second.readingCount,
                maximumDBm: contact.sides.compactMap(\.maximumDBm).max(),
                signalAtFirst: SignalSummary(contact.first.meanDBm, contact.first.readingCount),
                signalAtSecond: SignalSummary(contact.second.meanDBm, contact.second.readingCount),
                isMutual: contact.isMutual, certainty: contact.certainty)
        case .stranger(let encounter):
            self.init(
                first: first, second: second, start: encounter.start.milliseconds,
                end: encounter.end.milliseconds,
                errorMilliseconds: encounter.clockError.map { Int64(clamping: $0.milliseconds) },
                readingCount: encounter.readingCount, maximumDBm: encounter.rssi?.maximumDBm,
                signalAtFirst: SignalSummary(encounter.rssi?.meanDBm, encounter.readingCount),
                signalAtSecond: nil, isMutual: false,
                certainty: encounter.isWritten ? .written : .served)
        }
        // Under pseudonyms the order of numbers is another one.
        if first > second {
            (self.first, self.second) = (second, first)
            (signalAtFirst, signalAtSecond) = (signalAtSecond, signalAtFirst)
        }
    }
}

extension SignalSummary {
    /// Nil without samples, or for numbers that no board records.
    fileprivate init?(_ meanDBm: Double?, _ readingCount: Int) {
        guard let meanDBm else { return nil }
        self.init(meanRSSIDBm: meanDBm, readingCount: readingCount)
    }
}
