import EncounterLog
import Schemes

/// The opened secrets of a scheme, in the form in which a board stores them.
public enum BackedUpSecrets: Equatable, Sendable {
    case dayKeys(DayKeys)
    /// The record of a registration with Sonar's authority.
    case sonarRegistration(record: [UInt8])

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
}
