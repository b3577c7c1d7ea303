import FixedMemory
import Protocols

/// The input is a list of writes to the signal characteristic: length (1), then bytes. An empty one is a long
/// pause.
enum SignalTarget {
    static func run(_ input: [UInt8]) throws(FuzzFinding) {
        var script = Script(input)
        var assembler = HeraldSignalAssembler()
        var message: [UInt8] = []
        var now: Instant = 0
        while !script.isAtEnd {
            let write = script.chunk()
            if write.isEmpty, !message.isEmpty {
                now += HeraldSignalAssembler.timeout + 1
                message = []
                try requireFresh(assembler, now: now)
            }
            message += write
            switch assembler.write(write.span, now: now) {
            case .wake: try require(message.isEmpty, "only an empty write wakes")
            case .incomplete: try require(message.count < 517, "a message ends")
            case .complete(let code):
                try require(message.first == code.rawValue, "a message's code is its first byte")
                let payload = assembler.payload.span.array
                try require(
                    Array(message.suffix(payload.count)) == payload, "a message's data are its last bytes")
                try require(message.count <= 517, "a message fits")
                message = []
                try requireFresh(assembler, now: now)
            case .malformed:
                message = []
                try requireFresh(assembler, now: now)
            }
        }
    }

    private static func requireFresh(_ assembler: HeraldSignalAssembler, now: Instant)
        throws(FuzzFinding)
    {
        var next = assembler
        let rssi: [UInt8] = [2, 0xc8, 0xff]
        try require(
            next.write(rssi.span, now: now) == .complete(.rssi),
            "each message begins without bytes of the last")
        try require(next.rssiDBm == -56, "and is read")
    }
}
