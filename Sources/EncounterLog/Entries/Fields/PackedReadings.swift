import FixedMemory

/// RSSI readings in order of time, packed. Each has the time since the previous reading (milliseconds,
/// LEB128; 0 for the first) and the RSSI in dBm (one signed byte). A peer that advertises four times a second
/// takes three bytes a reading.
public struct PackedReadings: BitwiseCopyable, Sendable {
    public private(set) var start = Instant.start
    public private(set) var end = Instant.start
    public private(set) var count: UInt16 = 0
    /// Sized so that an entry fits the smallest page.
    private var bytes = FixedBuffer<160>()

    public init() {}

    public var isEmpty: Bool { count == 0 }

    /// Adds a reading; returns false and changes nothing if it does not fit. A time before the previous
    /// reading's is replaced by that.
    public mutating func append(rssiDBm: Int8, at instant: Instant) -> Bool {
        let time = isEmpty ? instant : max(instant, end)
        var reading = FixedBuffer<11>()
        do throws(CapacityError) {
            try reading.append(leb128: isEmpty ? 0 : (time - end).milliseconds)
            try reading.append(rssiDBm)
            try bytes.append(reading.span)
        } catch {
            return false
        }
        if isEmpty { start = time }
        end = time
        count += 1
        return true
    }

    /// Calls `body` with each reading's time and RSSI in dBm, in order.
    public func forEach(_ body: (Instant, Int8) -> Void) {
        var fields = FieldReader(bytes.span)
        var time = start
        do throws(MalformedField) {
            for _ in 0..<count {
                time = time &+ (try fields.readInterval())
                body(time, Int8(bitPattern: try fields.readUInt8()))
            }
        } catch {
            // Unreachable: the buffer holds only readings that `append` encoded.
        }
    }
}

extension PackedReadings: Equatable {
    public static func == (left: PackedReadings, right: PackedReadings) -> Bool {
        left.start == right.start && left.count == right.count
            && left.bytes == right.bytes
    }
}

extension PackedReadings {
    /// First time (LEB128), number of readings (LEB128), the readings.
    func encode<Sink: ByteSink & ~Copyable>(into sink: inout Sink) throws(CapacityError) {
        try sink.append(leb128: start)
        try sink.append(leb128: UInt32(count))
        try sink.append(bytes.span)
    }

    init(from fields: inout FieldReader) throws(MalformedField) {
        self.init()
        var time = try fields.readInstant()
        for _ in 0..<(try fields.readLEB128UInt16()) {
            time = time &+ (try fields.readInterval())
            guard append(rssiDBm: Int8(bitPattern: try fields.readUInt8()), at: time) else {
                throw MalformedField()
            }
        }
    }
}
