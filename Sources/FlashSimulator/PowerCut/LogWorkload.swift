import Cryptography
import EncounterLog
import FixedMemory

/// Writes logs of numbered entries from a seed, and records them in a ledger.
final class LogWorkload {
    /// The ledger, in a class, because it is used while a log is in the middle of an operation.
    final class Books {
        var ledger: LogLedger

        init(_ ledger: LogLedger) { self.ledger = ledger }
    }

    let scenario: PowerCutScenario
    let reader: LogReader
    private let sealing: SimulatedSealing?

    init(_ scenario: PowerCutScenario) throws(CryptographyError) {
        self.scenario = scenario
        let geometry = PowerCutScenario.geometry(scenario.medium)
        switch scenario.pages {
        case .clear:
            sealing = nil
            reader = LogReader(geometry, opener: nil)
        case .sealed:
            let sealing = try SimulatedSealing(scenario.random.split("sealing"))
            reader = LogReader(geometry, opener: try sealing.opener())
            self.sealing = sealing
        }
    }

    /// The random stream of the log that is being written. A caller that writes another log meanwhile
    /// restores it.
    var stream: RandomStream? {
        get { sealing?.stream }
        set { if let newValue { sealing?.stream = newValue } }
    }

    /// Writes up to the first page of segment `last`. Now and then the agent restarts.
    func write(to medium: SimulatedMedium, _ books: Books, throughSegment last: UInt32) throws(LogError) {
        var random = scenario.random.split("workload")
        while true {
            let boot = books.ledger.begin()
            var log = try mount(medium, boot, entropy: "workload \(boot)")
            repeat {
                try write(&log, books, entries: Int(1 + random.below(12)))
                if log.head.position.segmentOrdinal >= last { return }
            } while !random.chance(0.02)
        }
    }

    /// - Parameter name: The name of the entropy; the same name gives the same entropy.
    func mount(
        _ medium: SimulatedMedium, _ boot: UInt64, entropy name: String
    ) throws(LogError) -> EncounterLog<SimulatedFlash> {
        var identity = Bytes<16>()
        for index in 0..<16 { identity[index] = UInt8(truncatingIfNeeded: scenario.seed) &+ UInt8(index) }
        return try EncounterLog(
            mounting: SimulatedFlash(medium), newLogIdentity: identity, bootIdentifier: boot,
            seal: try seal(entropy: name))
    }

    private func seal(entropy name: String) throws(LogError) -> LogSeal? {
        guard let sealing else { return nil }
        do throws(CryptographyError) {
            return try sealing.seal(scenario.random.split("entropy \(name)"))
        } catch {
            throw .cannotSeal
        }
    }

    /// Appends the given number of entries and commits.
    func write(
        _ log: inout EncounterLog<SimulatedFlash>, _ books: Books, entries: Int
    ) throws(LogError) {
        for _ in 0..<entries {
            let number = books.ledger.recordAppend()
            let open = log.openEntryCount
            try log.append(NumberedEntries.entry(number), now: Instant(milliseconds: UInt64(number)))
            if log.openEntryCount <= open {
                books.ledger.acknowledge(
                    allBut: log.openEntryCount, in: log.head.position.segmentOrdinal)
            }
        }
        try log.commit()
        books.ledger.acknowledge(allBut: 0, in: log.head.position.segmentOrdinal)
    }
}
