import EncounterLog
import Schemes

/// The opened secrets of a scheme, in the form in which a board stores them.
public enum BackedUpSecrets: Equatable, Sendable {
    case dayKeys(DayKeys)
    /// The record of a registration with Sonar's authority.
    case sonarRegistration(record: [UInt8])

    public var scheme: SchemeID {
        switch self {
        case .dayKeys(let keys): keys.scheme
        case .sonarRegistration: .sonar
        }
    }

    /// - Throws: `.damagedRecord` unless the record is one of the scheme with this number.
    init(scheme: UInt8, record: [UInt8]) throws(BackupError) {
        switch SchemeCode(rawValue: scheme).id {
        case .herald, .covidTracer:
            // A board hands out no record without keys.
            guard let keys = try? DayKeys(record: record.span), !keys.isEmpty,
                SchemeCode(keys.scheme).rawValue == scheme
            else { throw .damagedRecord }
            self = .dayKeys(keys)
        case .sonar:
            guard SonarRegistrationRecord.decode(record.span) != nil else { throw .damagedRecord }
            self = .sonarRegistration(record: record)
        default: throw .damagedRecord
        }
    }

    /// The part of these secrets that a board gets.
    public enum Use: Equatable, Sendable {
        case given(BackedUpSecrets)
        /// Nothing, because the board has these day keys or later ones.
        case kept
        /// Nothing, because this was the last day with a key. It is counted from 1970-01-01, UTC.
        case ended(UInt32)
    }

    /// - Parameters:
    ///   - isSameBoard: whether the board is the one that the backup was made of.
    ///   - today: the day counted from 1970-01-01, UTC.
    public func use(isSameBoard: Bool, today: UInt32) -> Use {
        guard case .dayKeys(var keys) = self else { return .given(self) }
        guard !isSameBoard else { return .kept }
        let end = keys.firstDay + UInt32(keys.dayCount)
        _ = keys.drop(before: today)
        return keys.isEmpty ? .ended(end - 1) : .given(.dayKeys(keys))
    }
}
