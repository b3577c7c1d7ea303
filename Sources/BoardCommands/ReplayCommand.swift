import Agent
import BoardCommandLine
import CLinux
import Configuration
import EncounterLog
import FixedMemory
import HCI
import Peers
import Replay

/// The command `tabard replay FILE`: prints what the agent would have recorded from a capture.
enum ReplayCommand {
    static func run(_ arguments: inout Arguments) -> Int32 {
        let isSummary = arguments.takeFlag("--summary", pairs: ConfigurationLoader.isOption)
        guard let file = arguments.takeOperand(pairs: ConfigurationLoader.isOption) else {
            Output.error { line throws(CapacityError) in
                try line.append("replay: no capture given; write tabard replay FILE, or - for standard input")
            }
            return ExitCode.usage
        }
        var exitCode = ExitCode.success
        guard let configuration = ConfigurationLoader.load(&arguments, isForReplay: true, exitCode: &exitCode)
        else {
            return exitCode
        }
        do throws(ReplayFailure) {
            try replay(
                file, settings: RecorderSettings(configuration.values), isSummary: isSummary)
            return ExitCode.success
        } catch {
            Output.error { line throws(CapacityError) in try error.describe(to: &line, fileName: file.span) }
            return error.exitCode
        }
    }

    private static func replay(
        _ file: Argument, settings: RecorderSettings, isSummary: Bool
    ) throws(ReplayFailure) {
        let descriptor = file == "-" ? 0 : clinux_open_read(file.pointer)
        guard descriptor >= 0 else { throw .cannotOpen(-descriptor) }
        defer { if descriptor > 0 { _ = clinux_close(descriptor) } }
        var reader = try ReplayFailure.memory { () throws(MemoryError) in try BtsnoopReader() }
        var replay = try ReplayFailure.memory { () throws(MemoryError) in try Replay(settings: settings) }
        var failure: ReplayFailure?
        do throws(ReplayFailure) {
            try read(descriptor, &reader, into: &replay, isSummary: isSummary)
        } catch {
            // The part of a damaged capture before the damage is still reported.
            guard reader.hasBegun else { throw error }
            failure = error
        }
        var isFinished = false
        while !isFinished {
            isFinished = replay.finish()
            writeEntries(of: &replay, isSummary: isSummary)
        }
        ReplayReport.write(
            replay.summary, replay.counters, cutByteCount: failure == nil ? reader.waitingByteCount : 0,
            droppedCount: reader.droppedPacketCount)
        if let failure { throw failure }
        if replay.summary.packets == 0 { throw .noPackets }
    }

    private static func read(
        _ descriptor: Int32, _ reader: inout BtsnoopReader, into replay: inout Replay, isSummary: Bool
    ) throws(ReplayFailure) {
        while true {
            var status = 0
            let count = reader.fill { bytes in
                status = Int(truncatingIfNeeded: clinux_read(descriptor, bytes.baseAddress, bytes.count))
                return status
            }
            if status < 0 { throw .cannotRead(Int32(truncatingIfNeeded: -status)) }
            guard count > 0 else { break }
            do throws(BtsnoopError) {
                while let record = try reader.next() {
                    replay.take(record, reader.packet(of: record))
                    writeEntries(of: &replay, isSummary: isSummary)
                }
            } catch {
                throw .capture(error)
            }
        }
        if !reader.hasBegun { throw .capture(.notBtsnoop) }
    }

    @inline(never)
    private static func writeEntries(of replay: inout Replay, isSummary: Bool) {
        while let entry = replay.takeEntry() {
            if isSummary { continue }
            Output.line { line throws(CapacityError) in try EntryText.write(entry, to: &line) }
        }
    }
}
