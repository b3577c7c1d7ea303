import Analysis
import EncounterLog
import TextFormats

/// What a formal test takes from a board's log: every reading where the board keeps them (`encounters.raw`), and of a
/// sample the first and the last. A sample is shorter than a window, so no window with a reading has neither.
struct FormalBoardLog {
    private struct Encounter {
        var address: [UInt8]
        /// When there was a reading, by the board's clock, each second once.
        var milliseconds: [UInt64] = []
        /// Herald's.
        var identity: [UInt8] = []
        /// Of whichever scheme.
        var isIdentified = false

        mutating func note(_ time: UInt64) {
            if milliseconds.last.map({ $0 / 1_000 != time / 1_000 }) ?? true { milliseconds.append(time) }
        }
    }

    /// That it has shown itself under.
    private(set) var ownIdentities: [[UInt8]] = []
    private(set) var encounterCount = 0
    /// Nothing has been overwritten.
    let isWhole: Bool
    private var encounters: [UInt32: Encounter] = [:]
    private var anchors: [AnchorEntry] = []

    /// Of the boot that ran last.
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
        case .ownIdentity(let own) where own.scheme == .herald:
            ownIdentities.append([UInt8](own.identity.span))
        case .encounterOpened(let opened):
            encounterCount += 1
            let address = (0..<6).map { opened.address[$0] }
            encounters[opened.encounter] = Encounter(address: address + [opened.addressType])
        case .encounterIdentified(let identified):
            encounters[identified.encounter]?.isIdentified = true
            if identified.scheme == .herald {
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

    /// Of these we know who it was.
    var identifiedEncounterCount: Int { encounters.values.count(where: \.isIdentified) }

    /// As rows of Herald's contact log: under an address, and the payload that was read there.
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

    /// By the nearest anchor before, or the first.
    private func seconds(_ monotonicMilliseconds: UInt64) -> Int64 {
        let after = anchors.partitioningIndex { $0.monotonicMilliseconds > monotonicMilliseconds }
        guard let anchor = after > 0 ? anchors[after - 1] : anchors.first else { return 0 }
        let offset = Int64(anchor.wallClockMilliseconds) - Int64(anchor.monotonicMilliseconds)
        return CivilTime.floor(Int64(monotonicMilliseconds) + offset, by: 1_000)
    }
}

extension Array {
    /// The first place where `belongsAfter` is true; it must be false before and true from there on.
    fileprivate func partitioningIndex(_ belongsAfter: (Element) -> Bool) -> Int {
        var (low, high) = (0, count)
        while low < high {
            let middle = (low + high) / 2
            if belongsAfter(self[middle]) { high = middle } else { low = middle + 1 }
        }
        return low
    }
}
