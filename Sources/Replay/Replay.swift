import Agent
import EncounterLog
import FixedMemory
import GATT
import HCI
import Peers
import Protocols
import Radio

/// The entries that the agent would have recorded as the host of a capture. It parses events in the same way
/// and uses the same recorder. Identities come from the traffic on links. It works in fixed memory, packet by
/// packet.
public struct Replay: ~Copyable {
    private static let linkCapacity = 16
    /// Adapters are numbered from 0 on; this one and all higher ones count as one adapter.
    private static let lastAdapter: UInt16 = 15
    /// The interval of the recorder's sweeps, as in the agent.
    private static let sweepInterval = Interval.milliseconds(100)

    private var recorder: Recorder
    private var statistics = ScanStatistics()
    private var links: FixedArray<CapturedLink?>
    private var early = EarlyData()
    private var clock = CaptureClock()
    private var adapters = InlineArray<16, CapturedAdapter>(repeating: CapturedAdapter())
    private var scan = CapturedCoverage()
    private var coverage: CoverageEntry?
    private var nextSweep = Instant.start
    public private(set) var summary = ReplaySummary()

    public init(settings: RecorderSettings) throws(MemoryError) {
        let recorder = try Recorder(settings: settings, hashSeed: 0x9e37_79b9_7f4a_7c15)
        let links = try FixedArray<CapturedLink?>(count: Self.linkCapacity, repeating: nil)
        self.recorder = recorder
        self.links = links
    }

    /// Processes one record of a capture. Take all entries before the next record.
    public mutating func take(_ record: BtsnoopRecord, _ packet: Span<UInt8>) {
        let (before, wasSet) = (clock.now, clock.isSet)
        clock.advance(unixMicroseconds: record.unixMicroseconds)
        let now = clock.now
        summary.stepsBack = clock.stepsBack
        summary.wildTimes = clock.wildTimes
        // Without an accepted time, entries could not be written.
        guard clock.isSet else { return }
        if !wasSet { summary.first = now }
        // Everything that a pause has ended, it ended before this packet arrived.
        if wasSet, now > before { sweep(now: now) }
        summary.last = now
        if record.endsLinks { forget(record.adapter, now: now) }
        guard let kind = record.kind else { return }
        if let entry = scan.recordSilence(recorder.counters, now: now) { coverage = entry }
        summary.packets &+= 1
        if record.isCut { summary.cutPackets &+= 1 }
        switch kind {
        case .command where !record.isReceived: handleCommand(packet, adapter: record.adapter)
        case .event: handleEvent(packet, record, now: now)
        case .aclData: handleData(packet, record, now: now)
        default: break
        }
        keepCoverage(now: now)
    }

    /// Ends the capture, and writes what is open, as the agent does when it stops.
    /// - Returns: false if the queue had no room for all of it; take the entries, then call again.
    public mutating func finish() -> Bool {
        closeAllLinks(now: clock.now)
        if coverage == nil { coverage = scan.end(recorder.counters) }
        return recorder.flush()
    }

    /// Returns the next entry that the agent would have written.
    public mutating func takeEntry() -> LogEntry? {
        if let entry = recorder.nextEntry() {
            recorder.dropEntry()
            return entry
        }
        guard let entry = coverage else { return nil }
        coverage = nil
        return .coverage(entry)
    }

    public var counters: RecorderCounters { recorder.counters }

    // MARK: Packets

    private mutating func handleCommand(_ packet: Span<UInt8>, adapter: UInt16) {
        guard packet.count >= 4 else { return }
        let opCode = OpCode(rawValue: packet.loadUInt16(at: 1))
        adapters[Self.place(of: adapter)].record(command: opCode, packet)
        if opCode == .reset { closeLinks(of: adapter, now: clock.now) }
    }

    private mutating func handleEvent(_ packet: Span<UInt8>, _ record: BtsnoopRecord, now: Instant) {
        let place = Self.place(of: record.adapter)
        do throws(EventError) {
            switch try Event(packet) {
            case .advertisingReports(let reports):
                recordReports(at: place)
                ReportIntake.take(reports, recorder: &recorder, statistics: &statistics, now: now)
            case .extendedAdvertisingReports(let reports):
                recordReports(at: place)
                ReportIntake.take(reports, recorder: &recorder, statistics: &statistics, now: now)
            case .commandComplete(let opCode, _, let returned):
                adapters[place].record(
                    answerTo: opCode, Status(rawValue: returned.isEmpty ? 0 : returned[0]))
            case .commandStatus(let opCode, _, let status):
                adapters[place].record(answerTo: opCode, status)
            case .connectionComplete(let connection):
                opened(connection, record, now: now)
            case .disconnectionComplete(let handle, let status, _):
                if status == .success { closed(handle, record.adapter, now: now) }
            case .hardwareError, .connectionUpdated, .completedPackets, .longTermKeyRequest, .other: break
            }
        } catch {
            summary.malformedEvents &+= 1
        }
    }

    private mutating func recordReports(at place: Int) {
        adapters[place].recordReport()
        summary.reportEvents &+= 1
    }

    private mutating func handleData(_ packet: Span<UInt8>, _ record: BtsnoopRecord, now: Instant) {
        guard packet.count >= 5 else { return }
        let handle = ConnectionHandle(rawValue: packet.loadUInt16(at: 1))
        guard let index = find(handle, record.adapter) else {
            if record.isReceived, !record.isCut {
                early.add(packet, of: handle, adapter: record.adapter, now: now)
            }
            return
        }
        receive(packet, at: index, record, now: now)
    }

    private mutating func receive(_ packet: Span<UInt8>, at index: Int, _ record: BtsnoopRecord, now: Instant)
    {
        guard !record.isCut, Int(packet.loadUInt16(at: 3)) == packet.count - 5,
            let boundary = ACLBoundary(rawValue: packet[2] >> 4 & 3)
        else {
            links[index]?.interrupt()
            return
        }
        links[index]?.receive(
            packet.extracting(5..<packet.count), boundary: boundary, isFromPeer: record.isReceived, now: now)
        harvest(index, now: now)
    }

    // MARK: Adapters

    private static func place(of adapter: UInt16) -> Int { Int(min(adapter, lastAdapter)) }

    /// Handles an adapter's arrival or departure: it may have scanned until now. Its links are gone, and its
    /// state is unknown from now on.
    private mutating func forget(_ adapter: UInt16, now: Instant) {
        closeLinks(of: adapter, now: now)
        keepCoverage(now: now)
        adapters[Self.place(of: adapter)] = CapturedAdapter()
    }

    // MARK: Links

    private func find(_ handle: ConnectionHandle, _ adapter: UInt16) -> Int? {
        for index in links.indices where links[index]?.handle == handle && links[index]?.adapter == adapter {
            return index
        }
        return nil
    }

    private mutating func opened(_ connection: ConnectionComplete, _ record: BtsnoopRecord, now: Instant) {
        let adapter = record.adapter
        let wanted =
            connection.isCentral || connection.status != .success
            ? adapters[Self.place(of: adapter)].takeRequestedPeer() : nil
        guard connection.status == .success else { return }
        closed(connection.handle, adapter, now: now)
        summary.links &+= 1
        let index = freeSlot(now: now)
        links[index] = CapturedLink(
            adapter: adapter, handle: connection.handle, peer: wanted ?? connection.peer, opened: now)
        while let packet = early.take(of: connection.handle, adapter: adapter, now: now) {
            receive(packet.span, at: index, record, now: now)
        }
    }

    /// A free slot, or else the slot of the oldest link.
    private mutating func freeSlot(now: Instant) -> Int {
        var oldest = 0
        for index in links.indices {
            guard let link = links[index] else { return index }
            if let other = links[oldest], link.opened < other.opened {
                oldest = index
            }
        }
        close(oldest, now: now)
        return oldest
    }

    private mutating func closed(_ handle: ConnectionHandle, _ adapter: UInt16, now: Instant) {
        if let index = find(handle, adapter) { close(index, now: now) }
    }

    @inline(never)
    private mutating func closeLinks(of adapter: UInt16, now: Instant) {
        for index in links.indices where links[index]?.adapter == adapter {
            close(index, now: now)
        }
    }

    private mutating func closeAllLinks(now: Instant) {
        for index in links.indices { close(index, now: now) }
    }

    @inline(never)
    private mutating func close(_ index: Int, now: Instant) {
        guard links[index] != nil else { return }
        links[index]?.interrupt()
        harvest(index, now: now)
        links[index] = nil
    }

    /// Hands the identities and readings on a link to the recorder.
    @inline(never)
    private mutating func harvest(_ index: Int, now: Instant) {
        guard let peer = links[index]?.peer else { return }
        if let payload = links[index]?.asked.takePayload() {
            summary.identities &+= 1
            if let scheme = links[index]?.asked.scheme {
                // A capture's clock counts as right.
                SchemeReading(payload.span, of: scheme, unixSeconds: now / .seconds(1))
                    .record(payload.span, of: scheme, from: peer, in: &recorder, now: now)
            } else {
                recorder.identify(peer, identity: payload, now: now)
            }
        }
        // The payload that the peer has read is our own; a payload that it has written is the peer's.
        _ = links[index]?.served.takePayload()
        switch links[index]?.served.takeMessage() {
        case .payload:
            guard let payload = links[index]?.served.messagePayload, !payload.isEmpty else { return }
            summary.identities &+= 1
            recorder.identify(peer, identity: payload, isWritten: true, now: now)
        case .rssi:
            guard let value = links[index]?.served.messageRSSIDBm, let dBm = Int8(exactly: value),
                let rssi = RSSI(dBm: dBm)
            else { return }
            recorder.recordReading(rssi, writtenBy: peer, now: now)
        case .payloadSharing, .immediateSend, nil: break
        }
    }

    // MARK: Time

    private mutating func sweep(now: Instant) {
        guard now >= nextSweep else { return }
        nextSweep = now + Self.sweepInterval
        recorder.advance(now: now)
    }

    private mutating func keepCoverage(now: Instant) {
        var isScanning = false
        for place in adapters.indices where adapters[place].isScanning { isScanning = true }
        if let entry = scan.advance(isScanning: isScanning, recorder.counters, now: now) {
            coverage = entry
        }
    }
}
