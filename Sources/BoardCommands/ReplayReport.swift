import BoardCommandLine
import FixedMemory
import HCI
import Peers
import Replay

/// The summary at the end of a replay.
enum ReplayReport {
    static func write(
        _ summary: ReplaySummary, _ counters: RecorderCounters, cutByteCount: Int, droppedCount: UInt32
    ) {
        Output.line { line throws(CapacityError) in
            try line.append("capture     ")
            try line.append(count: summary.packets, " packets")
            if summary.packets > 0 {
                try line.append(" from ")
                try EntryText.write(summary.first, to: &line)
                try line.append(" to ")
                try EntryText.write(summary.last, to: &line)
                try line.append(" UTC")
            }
            try line.append(", ")
            try line.append(count: summary.links, " connections")
        }
        Output.line { line throws(CapacityError) in
            try line.append("reports     ")
            try line.append(count: counters.reports, " advertising reports in ")
            try line.append(count: summary.reportEvents, " events, ")
            try line.append(count: counters.malformed, " with overrunning data")
        }
        Output.line { line throws(CapacityError) in
            try line.append("encounters  ")
            try line.append(count: counters.encounters, " encounters, ")
            try line.append(count: summary.identities, " identities read or written")
            if counters.dropped > 0 {
                try line.append(count: counters.dropped, " entries dropped", after: ", ")
            }
            if counters.evicted > 0 {
                try line.append(count: counters.evicted, " peers evicted", after: ", ")
            }
            if counters.unlogged > 0 {
                try line.append(count: counters.unlogged, " encounters not logged", after: ", ")
            }
        }
        let isFlawed =
            summary.cutPackets > 0 || summary.malformedEvents > 0 || summary.stepsBack > 0
            || summary.wildTimes > 0 || cutByteCount > 0 || droppedCount > 0
        guard isFlawed else { return }
        Output.line { line throws(CapacityError) in
            try line.append("flaws       ")
            try line.append(count: summary.cutPackets, " packets captured in part, ")
            try line.append(count: summary.malformedEvents, " malformed events, clock back ")
            try line.append(count: summary.stepsBack, " times")
            if summary.wildTimes > 0 {
                try line.append(count: summary.wildTimes, " wild times not followed", after: ", ")
            }
            if droppedCount > 0 {
                try line.append(
                    count: droppedCount, " packets not captured, so coverage has gaps", after: ", ")
            }
            if cutByteCount > 0 {
                try line.append(", the last record is cut: ")
                try line.append(decimal: cutByteCount)
                try line.append(" bytes not read")
            }
        }
    }
}
