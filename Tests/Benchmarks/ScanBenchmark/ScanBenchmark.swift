import EncounterLog
import FixedMemory
import HCI
import Peers
import Protocols

/// The agent's scan path, from a controller's bytes to entries for the log, as `RadioController` goes it.
/// See scan.h, whose settings and counts these are.
@c(scan_pass)
public func scanPass(
    _ bytes: UnsafePointer<UInt8>, _ byteCount: Int, _ counts: UnsafeMutablePointer<UInt64>,
    _ atEnd: @convention(c) () -> Void
) -> Int32 {
    do throws(MemoryError) {
        var settings = RecorderSettings()
        settings.peerCapacity = 4096
        settings.entryCapacity = 1024
        settings.sampleMilliseconds = 8_000
        settings.gapMilliseconds = 30_000
        var framer = try H4Framer(capacity: 16_384)
        var books = try Books(settings)
        books.take(UnsafeRawBufferPointer(start: bytes, count: byteCount), through: &framer)
        atEnd()
        counts[4] = framer.skippedByteCount
        books.write(to: counts)
        return 0
    } catch {
        return 1
    }
}

private struct Books: ~Copyable {
    private var recorder: Recorder
    private var packets: UInt64 = 0
    private var heraldSightings: UInt64 = 0
    private var candidates: UInt64 = 0
    private var closedEncounters: UInt64 = 0
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
        counts[1] = heraldSightings
        counts[2] = candidates
        counts[3] = UInt64(recorder.counters.malformed)
        counts[5] = UInt64(recorder.counters.evicted)
        counts[6] = UInt64(recorder.counters.encounters)
        counts[7] = closedEncounters
        counts[8] = samples
        counts[9] = sampleReadings
        counts[10] = UInt64(bitPattern: -sampleExtremes)
        counts[11] = UInt64(bitPattern: -sampleMeans)
        counts[12] = UInt64(recorder.counters.dropped)
    }

    private mutating func receive(_ packet: Span<UInt8>) {
        packets &+= 1
        let now = 1_000_000 + packets / 2
        do throws(EventError) {
            switch try Event(packet) {
            case .advertisingReports(var reports):
                while let report = reports.next() {
                    let recognition = HeraldRecognition(report.data)
                    recorder.note(Sighting(report, recognition), nowMilliseconds: now)
                    if recognition.isDamaged { recorder.noteMalformed() }
                    switch recognition.interest {
                    case .participant: heraldSightings &+= 1
                    case .candidate: candidates &+= 1
                    case .passerBy: break
                    }
                }
                if reports.isDamaged { recorder.noteMalformed() }
            default: break
            }
        } catch {
            recorder.noteMalformed()
        }
    }

    /// What the log keeper would do.
    private mutating func drain() {
        while let entry = recorder.nextEntry() {
            switch entry {
            case .sample(let sample):
                samples &+= 1
                sampleReadings &+= UInt64(sample.readings)
                sampleExtremes &+= Int64(sample.minimumRSSIDBm) + Int64(sample.maximumRSSIDBm)
                sampleMeans &+= Int64(sample.meanRSSITenthsDBm)
            case .encounterClosed: closedEncounters &+= 1
            default: break
            }
            recorder.dropEntry()
        }
    }
}
