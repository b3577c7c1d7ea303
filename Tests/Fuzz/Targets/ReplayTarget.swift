import EncounterLog
import FixedMemory
import HCI
import Peers
import Replay

/// The input is a btsnoop capture. If it has no file header, the target adds that of an H4 capture.
enum ReplayTarget {
    private static let head: [UInt8] = Array("btsnoop\0".utf8) + [0, 0, 0, 1, 0, 0, 3, 0xea]

    static func run(_ input: [UInt8]) throws(FuzzFinding) {
        let capture = input.starts(with: head.prefix(8)) ? input : head + input
        var settings = RecorderSettings()
        settings.peerCapacity = 16
        settings.entryCapacity = 256
        guard var reader = try? BtsnoopReader(), var replay = try? Replay(settings: settings) else { return }
        var check = Check()
        var offset = 0
        do {
            while offset < capture.count {
                offset += reader.fill { room in
                    let count = min(room.count, capture.count - offset)
                    for index in 0..<count { room[index] = capture[offset + index] }
                    return count
                }
                while let record = try reader.next() {
                    replay.take(record, reader.packet(of: record))
                    while let entry = replay.takeEntry() { check.entries.append(entry) }
                }
            }
        } catch {}
        var rounds = 0
        var isFinished = false
        while !isFinished {
            isFinished = replay.finish()
            while let entry = replay.takeEntry() { check.entries.append(entry) }
            rounds += 1
            try require(rounds < 100, "an end")
        }
        try check.hold(replay.summary, replay.counters)
    }

    private struct Check {
        var entries: [LogEntry] = []

        func hold(_ summary: ReplaySummary, _ counters: RecorderCounters) throws(FuzzFinding) {
            var opened: Set<UInt32> = []
            var reports: UInt32 = 0
            var coveredUntil = Instant.start
            for entry in entries {
                var line = FixedBuffer<512>()
                let isWritten = (try? EntryText.write(entry, to: &line)) != nil
                try require(isWritten && !line.isEmpty, "each entry has words that fit")
                switch entry {
                case .encounterOpened(let entry): opened.insert(entry.encounter)
                case .sample(let entry):
                    try require(opened.contains(entry.encounter), "a sample belongs to an encounter")
                    try require(entry.start <= entry.end, "time goes on")
                case .coverage(let entry):
                    try require(entry.start >= coveredUntil, "coverage does not overlap")
                    try require(entry.start <= entry.end, "coverage begins before it ends")
                    coveredUntil = entry.end
                    reports += entry.reports
                default: break
                }
            }
            try require(opened.count == Int(counters.encounters), "as many encounters as are counted")
            try require(reports <= counters.reports, "reports are covered once")
            try require(summary.first <= summary.last, "a capture begins before it ends")
        }
    }
}
