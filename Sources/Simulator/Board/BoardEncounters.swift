import EncounterLog
import FixedMemory

/// The encounters in a board's log. They have every RSSI reading if the board keeps them
/// (`encounters.raw`), and else the first and last of each sample.
package struct BoardEncounters {
    package struct Encounter {
        package fileprivate(set) var address: [UInt8]
        /// The times of readings by the board's clock, at most one per second.
        package fileprivate(set) var instants: [Instant] = []
        /// The peer's Herald identity.
        package fileprivate(set) var identity: [UInt8] = []
        /// Whether the log has an identity of any scheme.
        fileprivate var isIdentified = false

        fileprivate mutating func record(_ time: Instant) {
            if instants.last.map({ $0 / .seconds(1) != time / .seconds(1) }) ?? true { instants.append(time) }
        }
    }

    /// The board's own Herald identities.
    package private(set) var ownIdentities: [[UInt8]] = []
    package private(set) var encounterCount = 0
    /// Whether the log still has its beginning, so that nothing was overwritten.
    package let isWhole: Bool
    /// By the number that the log gives each.
    package private(set) var encounters: [UInt32: Encounter] = [:]
    package private(set) var anchors: [AnchorEntry] = []

    /// Reads the log of the last boot.
    package init(of board: SimulatedBoard) {
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
            encounters[sample.encounter]?.record(sample.start)
            encounters[sample.encounter]?.record(sample.end)
        case .readings(let entry):
            entry.readings.forEach { instant, _ in
                encounters[entry.encounter]?.record(instant)
            }
        default: break
        }
    }

    /// The number of encounters with an identity.
    package var identifiedEncounterCount: Int { encounters.values.count(where: \.isIdentified) }
}
