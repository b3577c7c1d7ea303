import Backups
import CommandLineText
import FixedMemory
import Schemes
import TextFormats

/// The secrets of a backup that another board gets, and what it does not get.
struct RestoredSecrets {
    private(set) var given: [(scheme: SchemeID, record: SchemeRecord)] = []
    /// Why secrets of the backup are left out, a line for each scheme.
    private(set) var notes: [String] = []

    /// - Parameters:
    ///   - isSameBoard: whether the backup goes to the board that it was made of.
    ///   - today: the day counted from 1970-01-01, UTC.
    init(_ opened: [BackedUpSecrets], isSameBoard: Bool, today: UInt32) {
        for secrets in opened {
            switch secrets.use(isSameBoard: isSameBoard, today: today) {
            case .given(.sonarRegistration(let record)):
                given.append((.sonar, SchemeRecord(sonarRegistration: record)))
            case .given(.dayKeys(let keys)): given.append((keys.scheme, SchemeRecord(keys)))
            case .kept: notes.append("\(secrets.scheme.name): the board keeps the day keys that it has")
            case .ended(let day):
                notes.append(
                    "\(secrets.scheme.name): the day keys ended on \(CalendarDate(daysSince1970: day).text), so "
                        + "the board makes new ones")
            }
        }
    }
}
