import FlashSimulator

/// The kinds of event in a trace.
enum TraceEvent: UInt64 {
    case toHost = 1, toController, report, linkOpened, linkClosed, boardStarted, boardEnded, fault
}

/// A hash of all events of a run. Equal traces mean that two runs were the same, except by chance.
public struct Trace: Equatable, Sendable {
    public private(set) var hash: UInt64 = 0
    public private(set) var eventCount: UInt64 = 0

    mutating func record(_ event: TraceEvent, _ value: UInt64, atMicroseconds time: UInt64) {
        hash = RandomStream.mix(hash ^ (time << 8 | event.rawValue)) &+ value
        eventCount &+= 1
    }

    mutating func record(_ event: TraceEvent, _ bytes: [UInt8], atMicroseconds time: UInt64) {
        var value = UInt64(bytes.count)
        for byte in bytes { value = (value << 5 | value >> 59) ^ UInt64(byte) }
        record(event, RandomStream.mix(value), atMicroseconds: time)
    }
}
