import Analysis
import EncounterLog
import TextFormats

/// The part of a board's log that a formal test uses. It takes every RSSI reading if the board keeps them
/// (`encounters.raw`), and else the first and last of each sample. A sample is shorter than a window, so
/// every window with a reading is counted.
struct FormalBoardLog {
    private struct Encounter {
        var address: [UInt8]
        /// The times of readings by the board's clock, at most one per second.
        var milliseconds: [UInt64] = []
        /// The peer's Herald identity.
        var identity: [UInt8] = []
        /// Whether the log has an identity of any scheme.
        var isIdentified = false

        mutating func note(_ time: UInt64) {
            if milliseconds.last.map({ $0 / 1_000 != time / 1_000 }) ?? true { milliseconds.append(time) }
        }
    }

    /// The board's own Herald identities.
    private(set) var ownIdentities: [[UInt8]] = []
    private(set) var encounterCount = 0
    /// Whether the log still has its beginning, so that nothing was overwritten.
    let isWhole: Bool
    private var encounters: [UInt32: Encounter] = [:]
    private var anchors: [AnchorEntry] = []

    /// Reads the log of the last boot.
    init(of board: SimulatedBoard) {
        let log = BoardLog(of: board)
        isWhole = log.pages.first?.sequenceNumber == 0
        for page in log.pages(of: board) {
            for entry in page.entries { take(entry) }
        }
    }

    private mutating func take(_ entry: LogEntry) {
        switch entry {
        case .anchor(let anchor): anchors.append(anchor)
        case .ownIdentity(let own) where own.scheme.id == .herald:
            ownIdentities.append([UInt8](own.identity.span))
        case .encounterOpened(let opened):
            encounterCount += 1
            let address = (0..<6).map { opened.address[$0] }
            encounters[opened.encounter] = Encounter(address: address + [opened.addressType])
        case .encounterIdentified(let identified):
            encounters[identified.encounter]?.isIdentified = true
            if identified.scheme.id == .herald {
                encounters[identified.encounter]?.identity = [UInt8](identified.identity.span)
            }
        case .sample(let sample):
            encounters[sample.encounter]?.note(sample.startMilliseconds)
            encounters[sample.encounter]?.note(sample.endMilliseconds)
        case .readings(let entry):
            entry.readings.forEach { milliseconds, _ in
                encounters[entry.encounter]?.note(milliseconds)
            }
        default: break
        }
    }

    /// The number of encounters with an identity.
    var identifiedEncounterCount: Int { encounters.values.count(where: \.isIdentified) }

    /// Converts encounters to rows of Herald's contact log: an address, and the payload that was read there.
    func observations(_ identities: FormalIdentities, named names: [String]) -> FormalObservations {
        var observations = FormalObservations()
        for encounter in encounters.sorted(by: { $0.key < $1.key }).map(\.value) {
            let device = ArraySlice(encounter.address)
            if let number = identities.device(of: encounter.identity) {
                let name = ArraySlice(Array(names[number].utf8))
                let time = seconds(encounter.milliseconds.first ?? 0)
                observations.append(ContactsRow(seconds: time, event: .read, device: device, data: name))
            }
            for milliseconds in encounter.milliseconds {
                observations.append(
                    ContactsRow(seconds: seconds(milliseconds), event: .measure, device: device, data: []))
            }
        }
        return observations
    }

    /// Wall time in seconds, by the last anchor before that time, or by the first one.
    private func seconds(_ monotonicMilliseconds: UInt64) -> Int64 {
        let after = anchors.partitioningIndex { $0.monotonicMilliseconds > monotonicMilliseconds }
        guard let anchor = after > 0 ? anchors[after - 1] : anchors.first else { return 0 }
        let offset = Int64(anchor.wallClockMilliseconds) - Int64(anchor.monotonicMilliseconds)
        return CivilTime.floor(Int64(monotonicMilliseconds) + offset, by: 1_000)
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
