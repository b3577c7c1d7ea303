import EncounterLog
import FixedMemory
import HCI
import Peers
import Radio

/// The agent's scan path, from a controller's bytes to entries for the log. Everything but this loop is the
/// agent's own code. See scan.h for the settings and counts.
@c(scan_pass)
public func scanPass(
    _ bytes: UnsafePointer<UInt8>, _ byteCount: Int, _ counts: UnsafeMutablePointer<UInt64>,
    _ atEnd: @convention(c) () -> Void
) -> Int32 {
    do throws(MemoryError) {
        var settings = RecorderSettings()
        settings.peerCapacity = 4096
        settings.entryCapacity = 1024
        settings.sampleLength = .seconds(8)
        settings.encounterTimeout = .seconds(30)
        settings.proving = .seconds(10)
        settings.forget = .minutes(15)
        // The floor writes each encounter from its first reading on.
        settings.strangers = .none
        var framer = try H4Framer(capacity: 16_384)
        var books = try Books(settings)
        books.take(UnsafeRawBufferPointer(start: bytes, count: byteCount), through: &framer)
        atEnd()
        counts[2] = framer.skippedByteCount
        books.write(to: counts)
        return 0
    } catch {
        return 1
    }
}

private struct Books: ~Copyable {
    private var recorder: Recorder
    private var statistics = ScanStatistics()
    private var packets: UInt64 = 0
    private var nextSweep = Instant.start
    private var closedEncounters: UInt64 = 0
    private var encounterNumbers: UInt64 = 0
    private var samples: UInt64 = 0
    private var sampleReadings: UInt64 = 0
    private var sampleExtremes: Int64 = 0
    private var sampleMeans: Int64 = 0

    init(_ settings: RecorderSettings) throws(MemoryError) {
        recorder = try Recorder(settings: settings, hashSeed: 0x9e37_79b9_7f4a_7c15)
    }

    mutating func take(_ input: UnsafeRawBufferPointer, through framer: inout H4Framer) {
        var offset = 0
        while offset < input.count {
            offset += framer.fill { room in
                let count = Swift.min(room.count, input.count - offset)
                room.copyMemory(from: UnsafeRawBufferPointer(rebasing: input[offset..<offset + count]))
                return count
            }
            while let range = framer.next() { receive(framer.packet(at: range)) }
            drain()
        }
    }

    func write(to counts: UnsafeMutablePointer<UInt64>) {
        counts[0] = UInt64(recorder.counters.reports)
        counts[1] = UInt64(recorder.counters.malformed)
        counts[3] = UInt64(recorder.counters.evicted)
        counts[4] = UInt64(recorder.counters.turnedAway)
        counts[5] = UInt64(recorder.counters.encounters)
        counts[6] = closedEncounters
        counts[7] = encounterNumbers
        counts[8] = samples
        counts[9] = sampleReadings
        counts[10] = UInt64(bitPattern: -sampleExtremes)
        counts[11] = UInt64(bitPattern: -sampleMeans)
        counts[12] = UInt64(recorder.counters.dropped)
    }

    private mutating func receive(_ packet: Span<UInt8>) {
        packets &+= 1
        let now = Instant(milliseconds: 1_000_000 + packets / 2)
        if now >= nextSweep {
            nextSweep = now + .milliseconds(100)
            recorder.advance(now: now)
        }
        do throws(EventError) {
            switch try Event(packet) {
            case .advertisingReports(let reports):
                ReportIntake.take(reports, recorder: &recorder, statistics: &statistics, now: now)
            default: break
            }
        } catch {
            recorder.countMalformed()
        }
    }

    /// Consumes the entries in place of the log's writer.
    private mutating func drain() {
        while let entry = recorder.nextEntry() {
            switch entry {
            case .sample(let sample):
                samples &+= 1
                sampleReadings &+= UInt64(sample.readings)
                sampleExtremes &+= Int64(sample.minimumRSSIDBm) + Int64(sample.maximumRSSIDBm)
                sampleMeans &+= Int64(sample.meanRSSITenthsDBm)
            case .encounterClosed(let closed):
                closedEncounters &+= 1
                encounterNumbers &+= UInt64(closed.encounter)
            default: break
            }
            recorder.dropEntry()
        }
    }
}
