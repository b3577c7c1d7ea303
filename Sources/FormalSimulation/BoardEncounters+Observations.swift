import Analysis
import EncounterLog
import FixedMemory
import Simulator
import TextFormats

/// Converts a board's log for a formal test. Samples are shorter than the time windows of the test, so each
/// window in which the board had a reading counts.
extension BoardEncounters {
    /// The encounters as rows of Herald's contact log. The device is an address; a payload becomes a name.
    func observations(_ identities: FormalIdentities, named names: [String]) -> FormalObservations {
        var observations = FormalObservations()
        for encounter in encounters.sorted(by: { $0.key < $1.key }).map(\.value) {
            let device = ArraySlice(encounter.address)
            if let number = identities.device(of: encounter.identity) {
                let name = ArraySlice(Array(names[number].utf8))
                let time = seconds(encounter.instants.first ?? .start)
                observations.append(ContactsRow(seconds: time, event: .read, device: device, data: name))
            }
            for instant in encounter.instants {
                observations.append(
                    ContactsRow(seconds: seconds(instant), event: .measure, device: device, data: []))
            }
        }
        return observations
    }

    /// Wall time in seconds, by the last anchor before that time, or by the first one.
    private func seconds(_ instant: Instant) -> Int64 {
        let after = anchors.partitioningIndex { $0.instant > instant }
        guard let anchor = after > 0 ? anchors[after - 1] : anchors.first else { return 0 }
        let offset = Int64(anchor.wallClock.milliseconds) - Int64(anchor.instant.milliseconds)
        return CivilTime.floor(Int64(instant.milliseconds) + offset, by: 1_000)
    }
}

extension Array {
    /// The first index at which `belongsAfter` is true. The elements must be sorted by it, false before true.
    fileprivate func partitioningIndex(_ belongsAfter: (Element) -> Bool) -> Int {
        var (low, high) = (0, count)
        while low < high {
            let middle = (low + high) / 2
            if belongsAfter(self[middle]) { high = middle } else { low = middle + 1 }
        }
        return low
    }
}
