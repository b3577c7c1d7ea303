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
            try count(summary.packets, " packets", to: &line)
            if summary.packets > 0 {
                try line.append(" from ")
                try EntryText.write(summary.first, to: &line)
                try line.append(" to ")
                try EntryText.write(summary.last, to: &line)
                try line.append(" UTC")
            }
            try line.append(", ")
            try count(summary.links, " connections", to: &line)
        }
        Output.line { line throws(CapacityError) in
            try line.append("reports     ")
            try count(counters.reports, " advertising reports in ", to: &line)
            try count(summary.reportEvents, " events, ", to: &line)
            try count(counters.malformed, " with overrunning data", to: &line)
        }
        Output.line { line throws(CapacityError) in
            try line.append("encounters  ")
            try count(counters.encounters, " encounters, ", to: &line)
            try count(summary.identities, " identities read or written", to: &line)
            if counters.dropped > 0 {
                try count(counters.dropped, " entries dropped", after: ", ", to: &line)
            }
            if counters.evicted > 0 { try count(counters.evicted, " peers evicted", after: ", ", to: &line) }
            if counters.unlogged > 0 {
                try count(counters.unlogged, " encounters not logged", after: ", ", to: &line)
            }
        }
        let isFlawed =
            summary.cutPackets > 0 || summary.malformedEvents > 0 || summary.stepsBack > 0
            || summary.wildTimes > 0 || cutByteCount > 0 || droppedCount > 0
        guard isFlawed else { return }
        Output.line { line throws(CapacityError) in
            try line.append("flaws       ")
            try count(summary.cutPackets, " packets captured in part, ", to: &line)
            try count(summary.malformedEvents, " malformed events, clock back ", to: &line)
            try count(summary.stepsBack, " times", to: &line)
            if summary.wildTimes > 0 {
                try count(summary.wildTimes, " wild times not followed", after: ", ", to: &line)
            }
            if droppedCount > 0 {
                try count(droppedCount, " packets not captured, so coverage has gaps", after: ", ", to: &line)
            }
            if cutByteCount > 0 {
                try line.append(", the last record is cut: ")
                try line.append(decimal: cutByteCount)
                try line.append(" bytes not read")
            }
        }
    }

    @inline(never)
    private static func count(
        _ number: UInt32, _ what: StaticString, after: StaticString = "", to line: inout FixedBuffer<1024>
    ) throws(CapacityError) {
        try line.append(after)
        try line.append(decimal: number)
        try line.append(what)
    }
}
