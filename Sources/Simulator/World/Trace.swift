import FlashSimulator

/// What a trace tells apart.
enum TraceEvent: UInt64 {
    case toHost = 1, toController, report, linkOpened, linkClosed, boardStarted, boardEnded, fault
}

/// A fingerprint of all that has happened: two runs are the same if, and but for chance only if, theirs are.
public struct Trace: Equatable, Sendable {
    public private(set) var hash: UInt64 = 0
    public private(set) var eventCount: UInt64 = 0

    mutating func note(_ event: TraceEvent, _ value: UInt64, atMicroseconds time: UInt64) {
        hash = RandomStream.mix(hash ^ (time << 8 | event.rawValue)) &+ value
        eventCount &+= 1
    }

    mutating func note(_ event: TraceEvent, _ bytes: [UInt8], atMicroseconds time: UInt64) {
        var value = UInt64(bytes.count)
        for byte in bytes { value = (value << 5 | value >> 59) ^ UInt64(byte) }
        note(event, RandomStream.mix(value), atMicroseconds: time)
    }
}
