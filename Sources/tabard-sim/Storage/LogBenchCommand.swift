import ArgumentParser
import CommandLineText
import Configuration
import Cryptography
import EncounterLog
import FixedMemory
import Foundation
import LinuxPlatform

/// Measures the cost of the log, as a part of `make bench`.
struct LogBenchCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "log-bench",
        abstract: "Measure log writes; print a line of JSON for each run.",
        discussion:
            "Examples:\n  tabard-sim log-bench --entries 10000\n\nEach entry has 64 bytes. "
            + "Tests/Benchmarks/log.py runs the command and compares it with C and SQLite."
    )

    @Option(help: "Number of entries on emulated flash.") var entries = 200_000
    @Option(help: "Also measure on this file; the command creates and removes it.") var file: String?

    /// The processing of pages.
    enum Pages: String, CaseIterable {
        /// Neither chained nor sealed.
        case bare
        case chained
        case sealed
    }

    func run() throws {
        for unit in [16, 8] {
            for pages in Pages.allCases {
                for batch in [1, 64, 0] { try runOnFlash(unit: unit, pages, batch: batch) }
            }
        }
        guard let file else { return }
        for pages in Pages.allCases { try run(onFile: file, pages, batch: 0, entries: entries) }
        try run(onFile: file, .bare, batch: 64, entries: entries)
        try run(onFile: file, .bare, batch: 1, entries: entries / 100)
    }

    // MARK: Emulated flash

    private func runOnFlash(unit: Int, _ pages: Pages, batch: Int) throws {
        let geometry = FlashGeometry(
            unitByteCount: unit, blockByteCount: 4_096, blocksPerSegment: 64, segmentCount: 64)
        guard let geometry else { throw ValidationError("not a geometry") }
        let chip = BenchFlash.Chip(geometry)
        let flash = BenchFlash(chip)
        // The ring wraps before the measurement, so that it erases each segment as in steady operation.
        try write(flash, pages, batch: 0, entries: 300_000)
        chip.counts = BenchFlash.Counts()
        let start = Self.nanoseconds()
        try write(flash, pages, batch: batch, entries: entries)
        let nanoseconds = Self.nanoseconds() - start
        let written = chip.counts
        chip.counts = BenchFlash.Counts()
        let mounting = Self.nanoseconds()
        _ = try Self.mount(flash, .bare)
        let mountNanoseconds = Self.nanoseconds() - mounting
        printLine([
            "medium": "nor\(unit)", "pages": pages.rawValue, "batch": batch, "entries": entries,
            "payload": entries * Self.entryByteCount, "programmed": written.programmedBytes,
            "programs": written.programs,
            "erasedSectors": written.erasures * geometry.blocksPerSegment, "nanoseconds": nanoseconds,
            "mountReads": chip.counts.reads, "mountBytes": chip.counts.readBytes,
            "mountNanoseconds": mountNanoseconds,
        ])
    }

    private func write(_ flash: BenchFlash, _ pages: Pages, batch: Int, entries: Int) throws {
        var log = try Self.mount(flash, pages)
        try Self.write(&log, batch: batch, entries: entries)
    }

    // MARK: A file

    private func run(onFile path: String, _ pages: Pages, batch: Int, entries: Int) throws {
        try? FileManager.default.removeItem(atPath: path)
        defer { try? FileManager.default.removeItem(atPath: path) }
        guard let name = FixedText<256>(Array(path.utf8).span) else {
            throw ValidationError("--file is too long")
        }
        let flash = try FlashFile(path: name, byteCount: 16 << 20)
        var log = try EncounterLog(
            mounting: flash, newLogIdentity: Bytes(), bootIdentifier: 1, seal: try Self.seal(pages),
            isLinked: pages != .bare)
        // The ring wraps before the measurement, so that ext4 has allocated every block of the file.
        try Self.write(&log, batch: 0, entries: 300_000)
        let programmed = log.counters.programmedBytes
        let before = try ProcessWrites()
        let start = Self.nanoseconds()
        try Self.write(&log, batch: batch, entries: entries)
        let nanoseconds = Self.nanoseconds() - start
        let after = try ProcessWrites()
        printLine([
            "medium": "file", "pages": pages.rawValue, "batch": batch, "entries": entries,
            "payload": entries * Self.entryByteCount, "called": after.called - before.called,
            "written": after.written - before.written,
            "programmed": Int(log.counters.programmedBytes - programmed),
            "nanoseconds": nanoseconds,
        ])
    }

    // MARK: The log

    static let entryByteCount = 64

    private static func mount(_ flash: BenchFlash, _ pages: Pages) throws -> EncounterLog<BenchFlash> {
        try EncounterLog(
            mounting: flash, newLogIdentity: Bytes(), bootIdentifier: 1, seal: try seal(pages),
            isLinked: pages != .bare)
    }

    private static func seal(_ pages: Pages) throws(CryptographyError) -> LogSeal? {
        guard pages == .sealed else { return nil }
        return LogSeal(
            ownerKey: try P256PrivateKey(entropy: .system).publicKey,
            boardScalar: try P256PrivateKey(entropy: .system).scalarBytes(),
            entropy: .system)
    }

    /// - Parameter batch: The number of entries per commit; 0 if only full pages are written.
    private static func write<Flash: ~Copyable>(
        _ log: inout EncounterLog<Flash>, batch: Int, entries: Int
    ) throws(LogError) {
        // An entry has 64 bytes: kind and length (2), numbers of 4, 4 and 1 bytes, then this data.
        var data = FixedBuffer<512>()
        for index in 0..<UInt8(entryByteCount - 11) {
            do throws(CapacityError) { try data.append(index) } catch { preconditionFailure("53 bytes") }
        }
        for number in 0..<entries {
            let entry = LogEntry.message(
                MessageEntry(
                    encounter: 10_000_000 + UInt32(number),
                    instant: Instant(milliseconds: 100_000_000 + UInt64(number)), data: data))
            try log.append(entry, now: Instant(milliseconds: UInt64(number)))
            if batch > 0, (number + 1) % batch == 0 { try log.commit() }
        }
        try log.commit()
    }

    /// The processor time of this process, because others use the machine, too.
    private static func nanoseconds() -> Int {
        var time = timespec()
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
        return time.tv_sec * 1_000_000_000 + time.tv_nsec
    }

    private func printLine(_ figures: [String: Any]) {
        guard let data = try? JSONSerialization.data(withJSONObject: figures, options: .sortedKeys) else {
            return
        }
        print(String(decoding: data, as: UTF8.self))
        fflush(nil)
    }
}

/// The bytes that this process has written so far, as counted by Linux.
private struct ProcessWrites {
    /// The bytes passed to write calls.
    let called: Int
    /// The bytes of pages made dirty.
    let written: Int

    init() throws {
        guard let text = try? String(contentsOfFile: "/proc/self/io", encoding: .utf8) else {
            throw Failure(.systemFile, "/proc/self/io: cannot be read")
        }
        func number(_ name: String) -> Int {
            text.split(separator: "\n").first { $0.hasPrefix("\(name): ") }
                .flatMap { Int($0.dropFirst(name.count + 2)) } ?? 0
        }
        called = number("wchar")
        written = number("write_bytes")
    }
}
