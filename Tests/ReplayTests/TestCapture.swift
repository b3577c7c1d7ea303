import EncounterLog
import FixedMemory
import HCI
import Peers
import Replay
import TestSupport

/// A btsnoop capture under construction, record by record. It begins 1,000 s after 1970.
struct TestCapture {
    /// The declaration of Herald's payload characteristic: handle 2, value at 3.
    static let payloadDeclared = "09 15 0200 02 0300 e733898fe34321a12948058ff8c0983e"
    /// The declaration of the signal characteristic, which is the next one: handle 4, value at 5.
    static let signalDeclared = "09 15 0400 08 0500 111a82809ae024837a432e0913b817f6"
    static let askForCharacteristics = "08 0100 ffff 0328"

    private(set) var bytes: [UInt8]
    var instant: Instant = 1_000_000
    /// The adapter of the packets that follow. Only the monitor's format distinguishes adapters.
    var adapter: UInt16 = 0
    private let isMonitors: Bool

    /// - Parameter isMonitors: whether to use the format of `btmon -w` (datalink 2001) instead of that of the
    ///   agent and Android (1002).
    init(isMonitors: Bool = false) {
        self.isMonitors = isMonitors
        var head = FixedBuffer<16>()
        try? Btsnoop.appendFileHeader(to: &head)
        bytes = head.span.array
        if isMonitors { bytes[14...15] = [0x07, 0xd1] }
    }

    mutating func add(_ packet: [UInt8], _ direction: Btsnoop.Direction, originalByteCount: Int? = nil) {
        guard isMonitors else {
            return append(packet, direction, flags: nil, originalByteCount: originalByteCount)
        }
        let isReceived = direction == .controllerToHost
        let code: UInt8 = packet[0] == 1 ? 2 : packet[0] == 4 ? 3 : isReceived ? 5 : 4
        append(Array(packet.dropFirst()), direction, flags: flags(code), originalByteCount: originalByteCount)
    }

    /// An event in the life of an adapter, with the monitor's op code.
    enum Note: UInt8 {
        case comes = 0
        case goes = 1
        case isOpened = 8
        case isClosed = 9
    }

    /// Appends the monitor's record of an adapter event.
    mutating func append(_ note: Note) {
        append([0], .hostToController, flags: flags(note.rawValue), originalByteCount: nil)
    }

    private func flags(_ code: UInt8) -> [UInt8] {
        [UInt8(adapter >> 8), UInt8(truncatingIfNeeded: adapter), 0, code]
    }

    private mutating func append(
        _ packet: [UInt8], _ direction: Btsnoop.Direction, flags: [UInt8]?, originalByteCount: Int?
    ) {
        var head = FixedBuffer<24>()
        try? Btsnoop.appendRecordHeader(
            for: packet.span, direction: direction, wallClockNanoseconds: instant.milliseconds * 1_000_000,
            to: &head)
        var record = head.span.array
        if let originalByteCount { record[3] = UInt8(originalByteCount) }
        if let flags { record.replaceSubrange(8..<12, with: flags) }
        bytes += record + packet
    }

    mutating func event(_ hex: String) {
        let event = [UInt8](hex: hex)
        add([4, event[0], UInt8(event.count - 1)] + event.dropFirst(), .controllerToHost)
    }

    mutating func command(_ hex: String) {
        let command = [UInt8](hex: hex)
        add([1] + command.prefix(2) + [UInt8(command.count - 2)] + command.dropFirst(2), .hostToController)
    }

    /// Appends a command and its answer.
    mutating func perform(_ hex: String, status: String = "00") {
        command(hex)
        event("0e 01" + hex.prefix(4) + status)
    }

    /// Appends adverts of Herald's service every 100 ms. The default address is 66:55:44:33:22:11.
    mutating func adverts(_ count: Int, rssi: String = "c4", address: String = "112233445566") {
        for _ in 0..<count {
            event("3e 02 01 00 01" + address + "04 0303f6fc" + rssi)
            instant += 100
        }
    }

    mutating func connect(role: String = "00", handle: String = "4000", address: String = "112233445566") {
        event("3e 01 00" + handle + role + "01" + address + "1800 0000 f401 00")
    }

    mutating func disconnect(handle: String = "4000") { event("05 00" + handle + "13") }

    /// Appends a whole ATT PDU.
    mutating func say(_ hex: String, _ direction: Btsnoop.Direction) {
        let pdu = [UInt8](hex: hex)
        let frame = [UInt8(pdu.count), 0, 4, 0] + pdu
        let flags: UInt8 = direction == .controllerToHost ? 0x20 : 0
        add([2, 0x40, flags, UInt8(frame.count), 0] + frame, direction)
        instant += 10
    }

    mutating func ask(_ hex: String) { say(hex, .hostToController) }
    mutating func hear(_ hex: String) { say(hex, .controllerToHost) }

    struct Result {
        var entries: [LogEntry] = []
        var summary = ReplaySummary()
        var counters = RecorderCounters()

        var identities: [String] { entries.compactMap { $0.identified?.identityBytes.hex } }
        var opened: [EncounterOpenedEntry] { entries.compactMap(\.opened) }
        var samples: [SampleEntry] { entries.compactMap(\.sample) }
        var coverage: [CoverageEntry] { entries.compactMap(\.coverage) }
        var closed: [EncounterClosedEntry] {
            entries.compactMap { if case .encounterClosed(let entry) = $0 { entry } else { nil } }
        }
    }

    func replay(_ settings: RecorderSettings = RecorderSettings()) throws -> Result {
        var result = Result()
        var reader = try BtsnoopReader()
        var replay = try Replay(settings: settings)
        var offset = 0
        while offset < bytes.count {
            offset += reader.fill { room in
                let count = min(room.count, bytes.count - offset)
                for index in 0..<count { room[index] = bytes[offset + index] }
                return count
            }
            while let record = try reader.next() {
                replay.take(record, reader.packet(of: record))
                while let entry = replay.takeEntry() { result.entries.append(entry) }
            }
        }
        var isFinished = false
        while !isFinished {
            isFinished = replay.finish()
            while let entry = replay.takeEntry() { result.entries.append(entry) }
        }
        result.summary = replay.summary
        result.counters = replay.counters
        return result
    }
}
